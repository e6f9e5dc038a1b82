/**
 * Renames a node, a variable, an output or a label in its flow, in flows that use it, and in tests and policies; a name
 * in its project file as well.
 */
import {
  type FileRename,
  LSPErrorCodes,
  type Position,
  ResponseError,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { type FlowDocument, type TextEdit as PlainEdit, pairOf } from "../../flow";
import { yamlWord } from "../../flow/edit";
import { programOf } from "../../flow/run";
import { t } from "../../text";
import type { Companion } from "../companions/companion-files";
import { pathFrom } from "../companions/policies";
import type { CompanionName } from "../features/companion";
import { type LabelAt, labelAt, relabeled } from "../features/names/labels";
import { rename, renamedAt, spellingProblem } from "../features/names/rename";
import { Converter, type TextConverter } from "../protocol/to-protocol";
import { isBelow, keyOf } from "../protocol/uris";
import type { Server } from "../server-parts";
import { type EditsInFile, renamedInCompanions, usesElsewhere } from "./cross-file-references";
import { definitionsOf, type NameInProject, nameInCompanion, nameInFlow, placeOf, usesOfName } from "./name-requests";

export function registerRename(server: Server): void {
  const { connection } = server;
  connection.workspace.onWillRenameFiles(({ files }) => movedFlows(server, files));
  connection.onPrepareRename((params) =>
    server.answer(
      params,
      null,
      ({ uri, document }, converter) => {
        const offset = converter.offset(params.position);
        const named = nameInFlow(server, { uri, document }, offset)?.symbol;
        const found = named ?? renamedAt(document, offset) ?? labelAt(document, offset);
        return found ? { range: converter.range(found.span), placeholder: found.name } : null;
      },
      async (file, converter) => {
        const named = nameInCompanion(server, file, converter.offset(params.position))?.symbol;
        if (named) return { range: converter.range(named.span), placeholder: named.name };
        const name = await elementInCompanion(server, file, converter, params);
        return name ? { range: converter.range(name.span), placeholder: renamedWord(name) as string } : null;
      },
    ),
  );
  connection.onRenameRequest((params) =>
    server.answer<Promise<WorkspaceEdit | null>, Promise<WorkspaceEdit | null>>(
      params,
      Promise.resolve(null),
      async (file, converter) => {
        const { document } = file;
        const offset = converter.offset(params.position);
        const named = nameInFlow(server, file, offset);
        if (named) return renameName(server, named, params.newName);
        const label = labelAt(document, offset);
        if (label) return renameLabel(server, file.uri, document, label, params.newName);
        return renameIn(server, file.uri, document, offset, params.newName);
      },
      async (file, converter) => {
        const named = nameInCompanion(server, file, converter.offset(params.position));
        if (named) return renameName(server, named, params.newName);
        return renameFromCompanion(server, await elementInCompanion(server, file, converter, params), params.newName);
      },
    ),
  );
}

/** Edits of project files that list flows which are about to move, alone or with their folder. */
function movedFlows(server: Server, moves: readonly FileRename[]): WorkspaceEdit | null {
  const { projects } = server.companions;
  const isMoved = (uri: string, from: string) => keyOf(uri) === keyOf(from) || isBelow(uri, from);
  const files: EditsInFile[] = [];
  for (const found of projects.all()) {
    // Paths are relative to the project file, so they stay right if it moves along.
    if (moves.some(({ oldUri }) => isMoved(found.uri, oldUri))) continue;
    const edits = found.project.environments.flatMap(({ flows }) =>
      [...flows].flatMap(([listed, { keySpan }]): PlainEdit[] => {
        const flow = projects.flowAt(found.uri, listed);
        const move = flow === undefined ? undefined : moves.find(({ oldUri }) => isMoved(flow, oldUri));
        if (!flow || !move) return [];
        const path = pathFrom(found.uri, keyOf(move.newUri) + keyOf(flow).slice(keyOf(move.oldUri).length));
        // A flow outside the project's folder can't be listed.
        return path.startsWith("../") ? [] : [{ ...keySpan, text: yamlWord(path) }];
      }),
    );
    if (edits.length > 0) files.push({ ...placeOf(server, found), edits, asks: false });
  }
  return files.length > 0 ? editOf(server, files) : null;
}

/** The name at a position of a test or policy file, if the word there can be renamed. */
async function elementInCompanion(
  server: Server,
  file: Companion,
  converter: TextConverter,
  params: { readonly position: Position },
): Promise<CompanionName | undefined> {
  const names = await server.companionRequests.names(file, converter, params);
  return names.find((each) => file.document.slice(each.span) === renamedWord(each));
}

/** Renames a name in all files of its project, or an environment in the project file. */
async function renameName(server: Server, named: NameInProject, newName: string): Promise<WorkspaceEdit> {
  const { project, symbol } = named;
  const text = newName.replace(/^\$/, "");
  const isName = symbol.kind === "name";
  const isTaken = project.environments.some(({ name, names }) => (isName ? names.has(text) : name === text));
  const wrong =
    spellingProblem(text) ??
    (isTaken && text !== symbol.name ? t('There is already "{0}". Choose another name.', text) : undefined);
  if (wrong !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, wrong);
  const files = [definitionsOf(server, named), ...(await usesOfName(server, named))];
  return editOf(
    server,
    files.map(({ spans, ...file }) => ({ ...file, edits: spans.map((span) => ({ ...span, text })), asks: false })),
  );
}

/** The name to rename in a test or policy file. */
function renamedWord(name: CompanionName): string | undefined {
  if (name.kind !== "edge") return name.name;
  return { target: name.edge.to, label: name.edge.label?.trim(), when: undefined, id: undefined }[name.by];
}

async function renameFromCompanion(
  server: Server,
  name: CompanionName | undefined,
  newName: string,
): Promise<WorkspaceEdit | null> {
  const refuse = (why: string) => new ResponseError(LSPErrorCodes.RequestFailed, why);
  if (!name) throw refuse(t("Only node IDs, variables and labels can be renamed. Put the cursor on one of them."));
  const { document, nodes } = name.program;
  const uri = server.companions.programs.uriOf(document);
  if (uri === undefined) return null;
  if (name.kind === "edge" && name.by === "label") {
    const block = nodes.get(name.edge.from)?.block;
    const pair = pairOf(name.edge.model.value, "label");
    const at = block && pair?.value && document.absolute(block, pair.value.span);
    const label = at && labelAt(document, at.start);
    if (label) return renameLabel(server, uri, document, label, newName);
  }
  const word = renamedWord(name);
  const block = word === undefined || name.kind === "variable" ? undefined : document.node(word);
  const defined = block ?? (word === undefined ? undefined : document.variable(word));
  if (!defined) throw refuse(t("This can't be renamed from here. Rename it in the flow."));
  const { start } = document.absolute(defined, defined.keySpan);
  return renameIn(server, uri, document, start, newName);
}

async function renameIn(
  server: Server,
  uri: string,
  document: FlowDocument,
  offset: number,
  newName: string,
): Promise<WorkspaceEdit> {
  const renamed = rename(document, offset, newName);
  if ("refused" in renamed) throw new ResponseError(LSPErrorCodes.RequestFailed, renamed.refused);
  const { name, edits } = renamed;
  const elsewhere: EditsInFile[] = [];
  if (edits.length > 0) {
    for (const { converter, version, spans } of await usesElsewhere(server, document, name))
      elsewhere.push({ converter, version, edits: spans.map((span) => ({ ...span, text: newName })), asks: true });
    if (name.kind !== "output") {
      const change = { kind: name.kind, name: name.name, to: newName };
      const renamed = await renamedInCompanions(server.companions, document, name.name, change, server.encoding);
      for (const each of renamed) elsewhere.push(each);
    }
  }
  return renameEdit(server, uri, document, edits, elsewhere);
}

async function renameLabel(
  server: Server,
  uri: string,
  document: FlowDocument,
  label: LabelAt,
  newName: string,
): Promise<WorkspaceEdit> {
  const edits = relabeled(document, label, newName);
  if ("refused" in edits) throw new ResponseError(LSPErrorCodes.RequestFailed, edits.refused);
  const edge = programOf(document).nodes.get(label.node.id)?.edges[label.index];
  const elsewhere = edge
    ? await renamedInCompanions(
        server.companions,
        document,
        label.name,
        { kind: "label", edge, to: newName },
        server.encoding,
      )
    : [];
  return renameEdit(server, uri, document, edits.edits, elsewhere);
}

/** Edits in flows that use this one need confirmation, if the client supports it. */
function renameEdit(
  server: Server,
  uri: string,
  document: FlowDocument,
  edits: readonly PlainEdit[],
  elsewhere: readonly EditsInFile[],
): WorkspaceEdit {
  const version = server.workspace.get(uri)?.version ?? null;
  const own = { converter: new Converter(uri, document, server.encoding), version, edits, asks: false };
  return editOf(server, [own, ...elsewhere]);
}

function editOf(server: Server, files: readonly EditsInFile[]): WorkspaceEdit {
  const client = server.client.workspace?.workspaceEdit;
  const annotationId = "other-files";
  const asks = client?.changeAnnotationSupport !== undefined && files.some((each) => each.asks);
  const documents = files.map((each): TextDocumentEdit => {
    const changes = each.converter.edits(each.edits);
    return {
      textDocument: { uri: each.converter.uri, version: each.version },
      edits: asks && each.asks ? changes.map((edit) => ({ ...edit, annotationId })) : changes,
    };
  });
  if (!client?.documentChanges)
    return { changes: Object.fromEntries(documents.map((each) => [each.textDocument.uri, each.edits as TextEdit[]])) };
  if (!asks) return { documentChanges: documents };
  return {
    documentChanges: documents,
    changeAnnotations: {
      [annotationId]: {
        label: t("Files that use this flow"),
        description: t("They set or read this name through a component node."),
        needsConfirmation: true,
      },
    },
  };
}
