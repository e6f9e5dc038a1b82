/** Names in a flow: the one at a position, what it refers to, and those that can be written. */
import type { FlowDocument, NodeBlock } from "../../../flow";
import { type NameUse, type ProjectFile, usesInFlow } from "../../../flow/project";
import { codeSpan, t } from "../../../text";
import { type Suggestion, suggest } from "../completion/insertion";

/** The use of a name at an offset, or right after its `$`. */
export function nameUseAt(document: FlowDocument, offset: number): NameUse | undefined {
  const block = document.blockAt(offset);
  if (block?.section !== "nodes") return undefined;
  return usesInFlow(document, [block as NodeBlock]).find((use) => isAt(use, offset));
}

/** Whether an offset is at a name or its `$`. */
export function isAt({ span: { start, end } }: NameUse, offset: number): boolean {
  return start - 1 <= offset && offset <= end;
}

/** The values of a name, in Markdown. */
export function aboutName({ environments }: ProjectFile, name: string): string {
  const lines = environments.map((each) => {
    const value = each.names.get(name)?.value;
    return `- ${each.name}: ${value === undefined ? t("not defined") : codeSpan(value)}`;
  });
  return [`**$${name}**`, lines.join("\n")].join("\n\n");
}

/** The names of a project as values of a field. */
export function nameItems({ environments }: ProjectFile, isWanted: (value: string) => boolean): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const { names } of environments)
    for (const [name, { value }] of names)
      if (!found.has(name) && isWanted(value)) found.set(name, suggest("id", `$${name}`, value));
  return [...found.values()];
}
