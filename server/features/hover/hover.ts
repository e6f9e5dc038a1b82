/** Hover. */
import { contains, type FlowDocument, isNode, nodeType, type Problem, pairOf, type Span } from "../../../flow";
import { edgeCondition, valuesIn } from "../../../flow/run";
import type { Neighbors } from "../completion/completion";
import { fieldAt, fieldsAt } from "../completion/field-table";
import { placeAt } from "../completion/place";
import { platformIdAt } from "../components";
import { nameAt } from "../names/occurrences";
import { aboutName, nameUseAt } from "../project/names";
import {
  aboutComponent,
  aboutCondition,
  aboutField,
  aboutNode,
  aboutTool,
  aboutVariable,
  documentationOf,
} from "./documentation";

export interface Hover {
  readonly span: Span;
  /** Markdown. */
  readonly text: string;
}

/**
 * `help` explains a rule; it is shown below the hover of a position with a problem. `neighbors` looks up the flows of
 * the workspace and the tools. `aboutRevision` describes the revision that the file names.
 */
export function hover(
  document: FlowDocument,
  offset: number,
  problems: readonly Problem[] = [],
  help: (problem: Problem) => string | undefined = () => undefined,
  neighbors: Pick<Neighbors, "component" | "tools" | "project"> = { component: () => undefined },
  aboutRevision: () => string | undefined = () => undefined,
): Hover | undefined {
  const found = problems.filter((problem) => contains(problem.span, offset));
  const about = withRevision(
    document,
    offset,
    hoverText(document, offset, found) ?? idText(document, offset, neighbors),
    aboutRevision,
  );
  const condition = conditionText(document, offset);
  // Between `when:` and its text there is nothing to show a condition at.
  const shown = about || (condition && contains(condition.span, offset)) ? withCondition(condition, about) : undefined;
  const helps = found.flatMap((problem) => help(problem) ?? []);
  if (helps.length === 0) return shown;
  const span = shown?.span ?? (found[0]?.span as Span);
  return { span, text: [shown?.text, ...new Set(helps)].filter(Boolean).join("\n\n---\n\n") };
}

/** Adds the revision to the hover of `revision`, or to that of its ID. */
function withRevision(
  document: FlowDocument,
  offset: number,
  shown: Hover | undefined,
  aboutRevision: () => string | undefined,
): Hover | undefined {
  const block = document.blockAt(offset);
  if (block?.key !== "revision" || block.section !== "top" || !block.value) return shown;
  const text = aboutRevision();
  if (text === undefined) return shown;
  const span = shown?.span ?? document.absolute(block, block.value.span);
  return contains(span, offset) ? { span, text: [text, shown?.text].filter(Boolean).join("\n\n---\n\n") } : shown;
}

/** Adds how a condition is decided to the hover of its text. */
function withCondition(condition: Hover | undefined, shown: Hover | undefined): Hover | undefined {
  if (!condition || !shown) return shown ?? condition;
  return { span: shown.span, text: `${shown.text}\n\n---\n\n${condition.text}` };
}

function conditionText(document: FlowDocument, offset: number): Hover | undefined {
  const block = document.blockAt(offset);
  // Of a text that isn't closed, the rest of the node would be part.
  if (!block || !isNode(block) || block.isBroken) return undefined;
  const at = offset - document.startOf(block);
  for (const edge of block.edges) {
    const pair = pairOf(edge.value, "when");
    if (!pair || !contains(pair.span, at)) continue;
    const when = edgeCondition(edge, block.text, valuesIn(document));
    if (when) return { span: document.absolute(block, when.span), text: aboutCondition(when.condition) };
  }
  return undefined;
}

/** The component or tool that an ID refers to, and the values of a name. */
function idText(
  document: FlowDocument,
  offset: number,
  { component, tools, project }: Pick<Neighbors, "component" | "tools" | "project">,
): Hover | undefined {
  const id = platformIdAt(document, offset);
  const name = project && nameUseAt(document, offset);
  const tool = id?.key === "tool" ? tools?.get(id.id) : undefined;
  const found = id?.key === "component" ? component(id.id) : undefined;
  const texts = [name && aboutName(project, name.name), tool ? aboutTool(tool) : found && aboutComponent(found)];
  const span = id?.span ?? name?.span;
  const text = texts.filter((each) => each !== undefined).join("\n\n---\n\n");
  return text && span ? { span, text } : undefined;
}

/** If a problem already says it, the hover doesn't repeat it. */
const UNDECLARED: ReadonlySet<string> = new Set(["undefined-variable", "unknown-output-variable"]);

function hoverText(document: FlowDocument, offset: number, found: readonly Problem[]): Hover | undefined {
  const name = nameAt(document, offset);
  if (name?.kind === "variable") {
    const isReported = found.some(({ code }) => UNDECLARED.has(code));
    return { span: name.span, text: aboutVariable(document, name.name, { isReported }) };
  }
  if (name?.kind === "node") {
    const node = document.node(name.name);
    return node && { span: name.span, text: aboutNode(document, node) };
  }
  const place = placeAt(document, offset);
  if (place.kind === "key" && place.hasColon) {
    const word = document.slice(place.word);
    const field = fieldsAt(document, place.path)?.find((candidate) => candidate.name === word);
    return field && { span: place.word, text: aboutField(field) };
  }
  if (place.kind !== "value") return undefined;
  const field = fieldAt(document, place.path);
  if (!field?.values) return undefined;
  const word = document.slice(place.word);
  if (field.name === "type" && nodeType(word) && place.path[0] === "nodes")
    return { span: place.word, text: documentationOf(document, { kind: "type", name: word }) as string };
  return field.values.includes(word) ? { span: place.word, text: aboutField(field) } : undefined;
}
