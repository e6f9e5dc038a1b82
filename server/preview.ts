/** The requests of the pages: the graph preview, and a call that looks for its nodes. */
import type { ServerCapabilities } from "vscode-languageserver";
import { graphOf, locate, toMermaid } from "../flow";
import { withoutMarkdown } from "../text";
import type { Server } from "./context";
import { aboutNode } from "./features/documentation";
import { graphEdit } from "./features/graph-edit";
import { elementAt, graphView } from "./features/graph-view";
import { linkTurns, type Turn } from "./features/turns";
import {
  DescribeRequest,
  ElementAtRequest,
  GraphEditRequest,
  GraphRequest,
  MermaidRequest,
  type Message,
  PlaceOfRequest,
  TurnLinksRequest,
} from "./messages";
import type { Converter } from "./to-protocol";
import type { OpenFile } from "./workspace";

export function registerPreview(server: Server): ServerCapabilities {
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
  on(GraphRequest, null, (file) => {
    const { problems, findings } = server.diagnostics.merged(file);
    return graphView(file.document, file.version, [...problems, ...findings], server.sync.base(file.uri));
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
  on(GraphEditRequest, { problem: "The file is not open any more." }, (file, { edit }, converter) => {
    const result = graphEdit(file.document, edit);
    return "problem" in result ? result : { edits: converter.edits(result.edits) };
  });
  on(MermaidRequest, "", (file) => toMermaid(graphOf(file.document)));
  server.connection.onRequest(
    TurnLinksRequest.method,
    ({ turns, variables }: { turns: Turn[]; variables: Record<string, unknown> }) =>
      linkTurns(turns, variables, server.workspace.openFiles),
  );
  return {};
}
