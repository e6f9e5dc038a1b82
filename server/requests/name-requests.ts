/** The names of a project in all files that use them: the project file, flows, tests and policies. */
import type { FlowDocument } from "../../flow";
import { type NameUse, usesInCompanion, usesInFlow } from "../../flow/project";
import type { Companion } from "../companions/companion-files";
import { PlainText } from "../companions/plain-text";
import type { FoundProject } from "../companions/projects";
import { type ProjectSymbol, placesOf, symbolAt } from "../features/project/loaded";
import { isAt, nameUseAt } from "../features/project/names";
import { Converter, TextConverter } from "../protocol/to-protocol";
import { keyOf } from "../protocol/uris";
import type { Server } from "../server-parts";
import type { Uses } from "./cross-file-references";

export interface NameInProject extends FoundProject {
  readonly symbol: ProjectSymbol;
}

export function nameInFlow(
  { companions }: Server,
  { uri, document }: { readonly uri: string; readonly document: FlowDocument },
  offset: number,
): NameInProject | undefined {
  return withProject(companions.projects.of(uri), nameUseAt(document, offset));
}

/** The name at an offset of a project, test or policy file. In a project file it may be an environment. */
export function nameInCompanion(
  { companions }: Server,
  { uri, kind, document }: Companion,
  offset: number,
): NameInProject | undefined {
  if (kind !== "project") {
    const uses = usesInCompanion(document.text, kind === "test" ? "tests" : "policies");
    return withProject(
      companions.projects.of(uri),
      uses.find((use) => isAt(use, offset)),
    );
  }
  const project = companions.projects.disk.read(document);
  const symbol = symbolAt(project, offset);
  return symbol && { uri, project, symbol };
}

function withProject(found: FoundProject | undefined, use: NameUse | undefined): NameInProject | undefined {
  return found && use && { ...found, symbol: { kind: "name", ...use } };
}

/** A project file to edit. */
export function placeOf(server: Server, { uri, project }: FoundProject): Omit<Uses, "spans"> {
  const open = server.companions.files.get(uri);
  const document = open?.document ?? new PlainText(project.text);
  return { converter: new TextConverter(uri, document, server.encoding), version: open?.version ?? null };
}

/** Where the project file has a name or an environment. */
export function definitionsOf(server: Server, named: NameInProject): Uses {
  return { ...placeOf(server, named), spans: placesOf(named.project, named.symbol) };
}

/** Where flows, tests and policies of the project use a name. */
export async function usesOfName(server: Server, { uri: home, symbol }: NameInProject): Promise<Uses[]> {
  const { workspace, companions, encoding } = server;
  if (symbol.kind !== "name") return [];
  const isInside = (uri: string) => keyOf(companions.projects.of(uri)?.uri ?? "") === keyOf(home);
  const found: Uses[] = [];
  const add = (converter: TextConverter, version: number | null, uses: readonly NameUse[]) => {
    const spans = uses.filter(({ name }) => name === symbol.name).map(({ span }) => span);
    if (spans.length > 0) found.push({ converter, version, spans });
  };
  for (const { uri } of [...workspace.facts()]) {
    const document = isInside(uri) ? await workspace.document(uri) : undefined;
    if (document)
      add(new Converter(uri, document, encoding), workspace.get(uri)?.version ?? null, usesInFlow(document));
  }
  for (const [kind, list] of [["test", "tests"] as const, ["policies", "policies"] as const])
    for await (const { uri, document, version } of companions.files.all(kind))
      if (isInside(uri)) add(new TextConverter(uri, document, encoding), version, usesInCompanion(document.text, list));
  return found;
}
