/** Finds uses of a flow's names in other files: flows that run it as a component, tests, and policies. */
import type { FlowDocument, Span, TextEdit } from "../../flow";
import { programOf } from "../../flow/run";
import { namesInTest, type Renamed, renamedIn, type TestName } from "../../flow/test";
import type { CompanionService } from "../companions/companion-service";
import { PlainText } from "../companions/plain-text";
import { ownIds, usesOfComponent } from "../features/components";
import type { FlowName } from "../features/names/occurrences";
import { placesInPolicies, renamedInPolicies } from "../features/policies/names";
import { Converter, TextConverter } from "../protocol/to-protocol";
import { keyOf } from "../protocol/uris";
import type { Server } from "../server-parts";

export interface UsesInFile {
  readonly converter: TextConverter;
  readonly version: number | null;
  readonly names: readonly TestName[];
}

export interface EditsInFile {
  readonly converter: TextConverter;
  readonly version: number | null;
  readonly edits: readonly TextEdit[];
  /** Whether the user should review them first. */
  readonly asks: boolean;
}

/** The test files that use a flow or one of its components and contain a word, with the flow's names in them. */
async function* testsWith(
  { files, tests, programs }: CompanionService,
  flow: FlowDocument,
  word: string,
  encoding: string,
): AsyncGenerator<UsesInFile> {
  for await (const { uri, document, version } of files.all("test")) {
    if (!document.text.includes(word)) continue;
    const { file, text, program, flowOf, runnable } = await tests.load({ uri, document });
    if (!program || !runnable) continue;
    const own = runnable.all.find((each) =>
      isSameFlow(each.document, flow, programs.uriOf(each.document), programs.uriOf(flow)),
    );
    if (!own) continue;
    const names = file.tests.flatMap((test) => namesInTest(test, text, program, flowOf));
    const converter = new TextConverter(uri, document, encoding);
    yield { converter, version, names: names.filter((name) => name.program === own) };
  }
}

function isSameFlow(a: FlowDocument, b: FlowDocument, uri: string | undefined, other: string | undefined): boolean {
  return a === b || (uri !== undefined && other !== undefined && keyOf(uri) === keyOf(other));
}

export async function usesInTests(
  service: CompanionService,
  flow: FlowDocument,
  word: string,
  isIt: (name: TestName) => boolean,
  encoding: string,
): Promise<UsesInFile[]> {
  const found: UsesInFile[] = [];
  for await (const uses of testsWith(service, flow, word, encoding)) {
    const names = uses.names.filter(isIt);
    if (names.length > 0) found.push({ ...uses, names });
  }
  return found;
}

/** Edits of tests and policies for a renamed element of a flow. */
export async function renamedInCompanions(
  service: CompanionService,
  flow: FlowDocument,
  word: string,
  renamed: Renamed,
  encoding: string,
): Promise<EditsInFile[]> {
  const found: EditsInFile[] = [];
  for await (const { converter, version, names } of testsWith(service, flow, word, encoding)) {
    const own = names[0]?.program ?? programOf(flow);
    const edits = renamedIn(names, converter.document.text, own, renamed);
    if (edits.length > 0) found.push({ converter, version, edits, asks: false });
  }
  return [...found, ...(await renamedInItsPolicies(service, flow, renamed, encoding))];
}

/** The policy files that apply to a flow and to the flows that use it as a component, each with all of its flows. */
async function policiesOf(service: CompanionService, flow: FlowDocument, encoding: string) {
  const uri = service.uriOf(flow);
  const flows = uri === undefined ? [] : [uri, ...service.components.usersOf(uri)];
  const nearest = new Map(
    flows.flatMap((each) => service.policies.fileFor(each) ?? []).map((each) => [each.uri, each]),
  );
  return Promise.all(
    [...nearest.values()].map(async ({ uri: address, file }) => {
      const open = service.files.get(address);
      const document = open?.document ?? new PlainText(file.text);
      const context = await service.loadPolicies({ uri: address, document });
      const converter = new TextConverter(address, document, encoding);
      return { context, converter, version: open?.version ?? null };
    }),
  );
}

export async function usesInPolicies(
  service: CompanionService,
  flow: FlowDocument,
  name: FlowName,
  encoding: string,
): Promise<Uses[]> {
  const { kind } = name;
  if (kind === "output") return [];
  return (await policiesOf(service, flow, encoding)).flatMap(({ context, converter, version }) => {
    const spans = placesInPolicies(context, programOf(flow), { kind, name: name.name });
    return spans.length > 0 ? [{ converter, version, spans }] : [];
  });
}

async function renamedInItsPolicies(
  service: CompanionService,
  flow: FlowDocument,
  renamed: Renamed,
  encoding: string,
): Promise<EditsInFile[]> {
  return (await policiesOf(service, flow, encoding)).flatMap(({ context, converter, version }) => {
    const edits = renamedInPolicies(context, programOf(flow), renamed);
    return edits.length > 0 ? [{ converter, version, edits, asks: false }] : [];
  });
}

export interface Uses {
  readonly converter: TextConverter;
  readonly version: number | null;
  readonly spans: readonly Span[];
}

/** Where the files that use this flow as a component refer to one of its names. */
export async function usesElsewhere(server: Server, document: FlowDocument, name: FlowName): Promise<Uses[]> {
  const uri = server.companions.uriOf(document);
  const own = [...ownIds(document)];
  const ids = new Set([...own, ...((uri && server.workspace.namesOf(uri, own)) || [])]);
  if (name.kind === "node" || ids.size === 0) return [];
  const users = [...server.workspace.facts()].filter((facts) =>
    facts.uses.some((use) => use.kind === "component" && ids.has(use.id)),
  );
  const found: Uses[] = [];
  for (const user of users) {
    const other = await server.workspace.document(user.uri);
    const spans = other ? usesOfComponent(other, ids, name) : [];
    if (other && spans.length > 0)
      found.push({
        converter: new Converter(user.uri, other, server.encoding),
        version: server.workspace.get(user.uri)?.version ?? null,
        spans,
      });
  }
  return found;
}
