/** Handles requests of the webview pages: the graph preview, and calls that link their turns to nodes. */
import type { ServerCapabilities } from "vscode-languageserver";
import { FlowDocument, graphOf, locate, toMermaid } from "../../flow";
import { t, withoutMarkdown } from "../../text";
import { changeList, comparedTexts, OtherVersion } from "../features/graph/comparison";
import { graphEdit } from "../features/graph/graph-edit";
import { compareGraphs, elementAt, graphView } from "../features/graph/graph-view";
import { linkTurns } from "../features/graph/turns";
import { aboutNode } from "../features/hover/documentation";
import {
  ComparedTextsRequest,
  DescribeRequest,
  ElementAtRequest,
  GraphEditRequest,
  GraphRequest,
  MermaidRequest,
  type Message,
  PlaceOfRequest,
  TurnLinksRequest,
} from "../messages";
import type { Converter } from "../protocol/to-protocol";
import type { Server } from "../server-parts";
import type { OpenFile } from "../workspace/workspace";

export function registerGraphRequests(server: Server): ServerCapabilities {
  function on<Params extends { readonly uri: string }, Result>(
    message: Message<Params, Result>,
    nothing: Result,
    handle: (file: OpenFile, params: Params, converter: Converter) => Result,
  ): void {
    server.connection.onRequest(message.method, (params: Params): unknown => {
      const file = server.workspace.get(params.uri);
      return file ? handle(file, params, server.converter(file)) : nothing;
    });
  }
  const version = new OtherVersion();
  const earlier = new OtherVersion();
  /** The shown document. A version that can't be parsed isn't stored, so the file is a last resort. */
  const documentOf = (file: OpenFile, shown: string | undefined): FlowDocument => {
    const read = shown === undefined ? undefined : earlier.read(shown);
    return read instanceof FlowDocument ? read : file.document;
  };
  on(GraphRequest, null, (file, { other, shown }) => {
    const document = documentOf(file, shown);
    const { problems, findings } =
      document === file.document ? server.diagnostics.merged(file) : { problems: [], findings: [] };
    const read = other === undefined ? undefined : version.read(other);
    const isRead = read instanceof FlowDocument;
    const base = isRead ? graphOf(read) : read ? undefined : server.sync.loaded?.base(file.uri);
    const compared = base && compareGraphs(base, document);
    const view = graphView(document, file.version, [...problems, ...findings], compared, server.toolsFor(file.uri));
    if (!read) return view;
    return { ...view, comparison: isRead ? { changes: compared ? changeList(compared) : [] } : read };
  });
  on(ComparedTextsRequest, null, (file, { other, shown, element }) => {
    const read = version.read(other);
    return read instanceof FlowDocument ? (comparedTexts(read, documentOf(file, shown), element) ?? null) : null;
  });
  on(
    ElementAtRequest,
    null,
    (file, { position }, converter) => elementAt(file.document, converter.offset(position)) ?? null,
  );
  on(PlaceOfRequest, null, (file, { element }, converter) => {
    const place = locate(file.document, element);
    return place ? converter.range(place.name) : null;
  });
  on(DescribeRequest, "", (file, { id }) => {
    const node = file.document.node(id);
    return node ? withoutMarkdown(aboutNode(file.document, node), "hidden") : "";
  });
  on(GraphEditRequest, { problem: t("The file is no longer open.") }, (file, { edit }, converter) => {
    const result = graphEdit(file.document, edit);
    return "problem" in result ? result : { edits: converter.edits(result.edits), version: file.version };
  });
  on(MermaidRequest, "", (file) => toMermaid(graphOf(file.document)));
  server.connection.onRequest(
    TurnLinksRequest.method,
    ({ turns, variables }: { turns: { text: string }[]; variables: Record<string, unknown> }) =>
      linkTurns(turns, variables, server.workspace.openFiles),
  );
  return {};
}
