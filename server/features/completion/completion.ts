/** Completion. Lists of names are filtered and limited here, so a flow of any size answers at once. */
import type { Field, FlowDocument, Meaning, NodeBlock, Span } from "../../../flow";
import { isUuid, nodeType, nodeTypes, ruleCatalog, whyNot } from "../../../flow";
import { yamlWord } from "../../../flow/edit";
import { NAMED_FIELDS, type ProjectFile } from "../../../flow/project";
import { valuesIn } from "../../../flow/run";
import type { KnownTools, ToolDefinition } from "../../../flow/tools";
import { t } from "../../../text";
import { ownIds } from "../components";
import { firstWords, nodeWords, variableWords } from "../hover/describe";
import { crossReferences } from "../names/cross-references";
import { nameItems } from "../project/names";
import { fieldAt, fieldsAt } from "./field-table";
import { isInGap } from "./gap";
import { insertionOf, type Suggestion, type Suggestions, suggest } from "./insertion";
import { hasInOrder } from "./match";
import { placeAt } from "./place";
import type { KeyPlace, Place, ValuePlace } from "./place-scanner";
import { edgeSnippets, flowSnippet, nodeSnippet, outputSnippet, toolSnippet, variableSnippet } from "./snippets";

export interface Component {
  /** The file name used in messages. */
  readonly file: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Data from other files of the workspace. */
export interface Neighbors {
  /**
   * IDs used at a key (`tool`, `component`, `assistant`), with their name if known, and the file. Not `revision`: only
   * one file can be synced with a revision.
   */
  ids(key: string): readonly { readonly id: string; readonly name?: string; readonly detail: string }[];
  /** The inputs and outputs of the component with an ID, if its file is in the workspace. */
  component(id: string): Component | undefined;
  /** The tools of the flow; undefined if they aren't known. */
  readonly tools?: KnownTools | undefined;
  readonly project?: ProjectFile | undefined;
}

const MAX_ITEMS = 100;

export function complete(document: FlowDocument, offset: number, neighbors: Neighbors): Suggestions {
  const place = placeAt(document, offset);
  const inText = suggestionsInText(document, offset, place);
  const all = inText?.items ?? (hasNoRoom(document, place) ? [] : itemsAt(document, place, neighbors));
  const replace = inText?.word ?? place.word;
  const { start } = replace;
  const isTight = !inText && place.kind !== "template" && /[:-]/.test(document.slice({ start: start - 1, end: start }));
  const found: Suggestions = {
    replace,
    lead: isTight ? " " : "",
    items: all.slice(0, MAX_ITEMS),
    incomplete: all.length > MAX_ITEMS,
  };
  return { ...found, items: sound(document, found, place.kind === "comment") };
}

function hasNoRoom(document: FlowDocument, place: Place): boolean {
  const { line } = document.positionAt(place.word.start);
  const start = document.offsetAt({ line, character: 0 });
  return isInGap(document.slice({ start, end: place.word.end + 2000 }), -start, place);
}

/** The suggestions that keep the file parseable. Names differ only in their letters, so one is tested for all. */
function sound(document: FlowDocument, found: Suggestions, isComment: boolean): readonly Suggestion[] {
  const means: Meaning = isComment ? { changes: "nothing", removes: true } : { changes: "touched" };
  const known = new Map<string, boolean>();
  const most = maxTried(document, found.replace.start);
  const now = document.slice(found.replace).replace(/^(["'])(.*)\1$/, "$2");
  return found.items.filter((item) => {
    const kind =
      item.kind === "key" || item.snippet
        ? `${item.kind} ${item.shape ?? item.label}`
        : `${item.kind} ${item.insert === now}`;
    let isSound = known.get(kind);
    if (isSound === undefined) {
      if (known.size >= most) return false;
      const { text } = insertionOf(document, found, item, { snippets: false, adjusts: false });
      isSound = whyNot(document, [{ ...found.replace, text }], means) === undefined;
      known.set(kind, isSound);
    }
    return isSound;
  });
}

/** Each suggestion is tried on the text, and a block with errors is slow to parse, so fewer are tried in a long one. */
function maxTried(document: FlowDocument, offset: number): number {
  const block = document.blockAt(offset);
  if (!block || block.text.length < LONG_ENTRY) return Number.POSITIVE_INFINITY;
  const start = document.startOf(block);
  const isHere = (span: Span) => start <= span.start && span.start <= start + block.text.length;
  if (!document.problems.some(({ span }) => isHere(span))) return Number.POSITIVE_INFINITY;
  return Math.ceil((4 * LONG_ENTRY) / block.text.length);
}

const LONG_ENTRY = 20_000;

function itemsAt(document: FlowDocument, place: Place, neighbors: Neighbors): Suggestion[] {
  switch (place.kind) {
    case "template":
      return variableItems(document, place.typed, (name) => name + place.missing);
    case "key":
      return keyItems(document, place, neighbors);
    case "value":
      return [...namesFor(place, neighbors), ...valueItems(document, place, neighbors)];
    default:
      return [];
  }
}

function keyItems(document: FlowDocument, place: KeyPlace, neighbors: Neighbors): Suggestion[] {
  const { path } = place;
  const [section, id, inner] = path;
  const taken = path.length === 0 ? new Set(document.tops.map((top) => top.key)) : place.taken;
  const isFree = (name: string) => !taken.has(name) || name === place.typed;
  const end = place.hasColon ? "" : ": ";
  if (section === "nodes" && path.length === 1) return newNodes(document, place, neighbors);
  if (section === "context_variables" && path.length === 1) return newVariables(document, place);
  // Edges of a node that ends the conversation are never taken.
  if (section === "nodes" && inner === "edges" && id !== undefined && nodeType(document.node(id)?.type)?.terminal)
    return [];
  if (section === "nodes" && inner === "edges" && path.length === 3) return edgeSnippets("- ");
  if (section === "component_outputs" && path.length === 1) return [outputSnippet("- ")];
  const isInNode = section === "nodes" && path.length === 3 && id !== undefined;
  const tool = isInNode ? toolOf(document, id, neighbors) : undefined;
  const component = isInNode ? componentOf(document, id, neighbors) : undefined;
  if (isInNode && inner === "saves") {
    const more = !place.hasColon && [...(tool?.outputs ?? []), ...(component?.outputs ?? [])].length > 0;
    return variableItems(document, place.typed, (name) => name + end)
      .filter((item) => isFree(item.label))
      .map((item) => ({ ...item, more }));
  }
  const more = !place.hasColon && document.variables.length > 0;
  if (inner === "inputs" && tool?.inputs)
    return [...tool.inputs]
      .filter(({ name }) => isFree(name))
      .sort((a, b) => Number(b.required && !b.hasDefault) - Number(a.required && !a.hasDefault))
      .map(({ name, type, required, hasDefault }) => {
        const detail = [type, required && !hasDefault ? t("required") : ""].filter(Boolean).join(", ");
        return { ...suggest("variable", name, detail, yamlWord(name) + end), more };
      });
  if (isInNode && inner === "inputs")
    return (component?.inputs ?? [])
      .filter(isFree)
      .map((name) => ({ ...suggest("variable", name, t("input of the component"), name + end), more }));
  const fields = fieldsAt(document, path) ?? [];
  const isEmpty = path.length === 0 && document.tops.every(({ key }) => key === place.typed);
  const keys = fields.filter((field) => isFree(field.name)).map((field) => keyItem(field, place));
  if (isEmpty && !place.flow) return [flowSnippet(), ...keys];
  if (taken.size > 0 || place.flow) return keys;
  if (inner === "edges" && path.length === 4)
    return [...edgeSnippets("").filter((item) => item.label !== "to"), ...keys];
  return section === "component_outputs" && path.length === 2 ? [outputSnippet(""), ...keys] : keys;
}

function keyItem(field: Field, place: KeyPlace): Suggestion {
  const { insert, snippet } = place.hasColon ? { insert: field.name, snippet: false } : keyText(field, place.flow);
  return {
    label: field.name,
    kind: "key",
    ...(field.required ? { detail: t("required") } : {}),
    insert,
    snippet,
    about: { kind: "field", name: field.name, path: place.path },
    more: !place.hasColon && (field.values !== undefined || /-id$|-name$|uuid/.test(field.kind)),
  };
}

function keyText(field: Field, flow: boolean): { insert: string; snippet: boolean } {
  if (field.kind === "map") return { insert: flow ? `${field.name}: {$0}` : `${field.name}:\n  $0`, snippet: true };
  if (field.name === "edges" && !flow) return { insert: `${field.name}:\n  - to: $0`, snippet: true };
  if (field.kind === "list" || field.kind === "list-of-text")
    return { insert: flow || field.kind !== "list" ? `${field.name}: [$0]` : `${field.name}:\n  - $0`, snippet: true };
  return { insert: `${field.name}: `, snippet: false };
}

function valueItems(document: FlowDocument, place: ValuePlace, neighbors: Neighbors): Suggestion[] {
  const { path } = place;
  const [section, id, inner] = path;
  const field = fieldAt(document, path);
  const tool =
    section === "nodes" && inner === "saves" && id !== undefined ? toolOf(document, id, neighbors) : undefined;
  if (path.length === 4 && tool)
    return tool.outputs.map(({ path, alias }) => suggest("value", path, alias, yamlWord(path)));
  if (section === "nodes" && path.length === 4 && inner === "saves" && id !== undefined)
    return (componentOf(document, id, neighbors)?.outputs ?? []).map((name) =>
      suggest("value", `$.${name}`, t("output of the component")),
    );
  const isCondition = field?.name === "when" && place.typed === "";
  const templated =
    isCondition ||
    (section === "nodes" && path.length === 4 && inner === "inputs") ||
    (section === "component_outputs" && path.at(-1) === "value");
  if (templated)
    return variableItems(document, place.typed, (name) => (place.quoted ? `{{${name}}}` : `"{{${name}}}"`)).map(
      (item) => ({
        ...item,
        label: `{{${item.label}}}`,
      }),
    );
  if (!field) return [];
  if (path.length === 3 && section === "nodes" && field.name === "type")
    return nodeTypes.map(({ name, doc }) => ({ ...suggest("type", name, doc), about: { kind: "type", name } }));
  if (field.kind === "node-id") return nodeItems(document, section === "nodes" ? id : undefined, place);
  if (field.kind === "variable-name") return variableItems(document, place.typed, (name) => name);
  if (field.kind === "uuid") {
    const own = field.name === "component" ? ownIds(document) : new Set<string>();
    const tools = field.name === "tool" ? [...(neighbors.tools?.all ?? [])] : [];
    const known = new Set(tools.map((tool) => tool.id.toLowerCase()));
    const others = neighbors.ids(field.name).filter(({ id }) => !own.has(id) && !known.has(id.toLowerCase()));
    if (tools.length > 0)
      return [
        ...tools.map((tool) => namedId(yamlWord(tool.id), tool.name, firstWords(tool.description, 60))),
        ...others.map(({ id, name, detail }) => namedId(id, name, detail)),
      ];
    return others.map(({ id, name, detail }) => namedId(id, name, detail));
  }
  return (field.values ?? []).map((value) => suggest("value", value));
}

/** The names of the project that fit a field. Tools, components and knowledge bases have UUIDs. */
function namesFor({ path: [section, , field = ""] }: ValuePlace, { project }: Neighbors): Suggestion[] {
  if (!project || section !== "nodes" || !NAMED_FIELDS.has(field)) return [];
  return nameItems(project, (value) => isUuid(value) === (field !== "destination"));
}

/** Tools are known by name, but the ID matches as well. */
export function namedId(id: string, name: string | undefined, detail: string): Suggestion {
  const insert = isUuid(id) ? id : yamlWord(id);
  if (name === undefined || name === "") return suggest("id", id, detail, insert);
  return { ...suggest("id", name, [id, detail].join(" · "), insert), filter: `${name} ${id}` };
}

/**
 * The possible targets of an edge, nearest first, since a flow is written along its paths. Nothing if the only match is
 * already there: the list would take the Tab key from the stops of a snippet, whose new node has the typed ID at once.
 */
function nodeItems(document: FlowDocument, from: string | undefined, { typed, word }: ValuePlace): Suggestion[] {
  const speaks = (node: NodeBlock) => node.id !== "" && document.node(node.id) === node;
  const found = best(nodesFrom(document, from), (node) => node.id, typed, speaks);
  const isThere = document.slice(word) === typed && document.node(typed) !== undefined;
  const isOther = ({ id }: NodeBlock) => id !== typed && hasInOrder(id.toLowerCase(), typed.toLowerCase());
  if (isThere && !found.some(isOther)) return [];
  return found.map((node) => ({
    ...suggest("node", node.id, [node.type, nodeWords(node)].filter(Boolean).join(" · "), yamlWord(node.id)),
    about: { kind: "node", name: node.id },
  }));
}

/** The nodes after a node and, half as often, those before it; the node itself last. */
function* nodesFrom(document: FlowDocument, from: string | undefined): Generator<NodeBlock> {
  const nodes = document.nodes;
  const block = from === undefined ? undefined : document.node(from);
  const here = block ? nodes.indexOf(block) : -1;
  let [up, down] = [here - 1, here + 1];
  for (let step = 1; up >= 0 || down < nodes.length || step === 1; step++) {
    const next = step % 3 === 0 && up >= 0 ? nodes[up--] : (nodes[down++] ?? nodes[up--]);
    if (next) yield next;
  }
  const own = nodes[here];
  if (own) yield own;
}

function variableItems(document: FlowDocument, typed: string, insert: (name: string) => string): Suggestion[] {
  const named = document.variables.filter((variable) => variable.name !== "");
  return best(named, (variable) => variable.name, typed).map((variable) => ({
    ...suggest("variable", variable.name, variableWords(variable), insert(variable.name)),
    about: { kind: "variable", name: variable.name },
  }));
}

/** IDs of missing targets, then a snippet for each node type. */
function newNodes(document: FlowDocument, place: KeyPlace, { tools }: Neighbors): Suggestion[] {
  if (place.hasColon || place.flow) return [];
  const references = crossReferences(document);
  const unknown = [...references.targets()].filter((id) => id !== "" && !document.node(id));
  const missing = best(unknown, (id) => id, place.typed);
  return [
    ...missing.map((id): Suggestion => {
      const count = references.incomingCount(id);
      const detail = count === 1 ? t("an edge leads here") : t("{0} edges lead here", count);
      return { ...nodeSnippet("message", id), label: id, kind: "node", detail };
    }),
    ...nodeTypes.map((type) => nodeSnippet(type.name)),
    ...best(tools?.all ?? [], ({ name }) => `tool node: ${name}`, place.typed).map(toolSnippet),
  ];
}

function newVariables(document: FlowDocument, place: KeyPlace): Suggestion[] {
  if (place.hasColon || place.flow) return [];
  const missing = [...crossReferences(document).usedNames()].filter((name) => name !== "" && !document.variable(name));
  return [
    ...missing.map(
      (name): Suggestion => ({
        ...variableSnippet(name),
        label: name,
        kind: "variable",
        detail: t("used, not declared"),
      }),
    ),
    variableSnippet(),
  ];
}

function toolOf(document: FlowDocument, node: string, { tools }: Neighbors): ToolDefinition | undefined {
  const block = document.node(node);
  return block && tools?.calledBy(block);
}

function componentOf(document: FlowDocument, node: string, neighbors: Neighbors) {
  const value = document.node(node)?.fields.get("component")?.value;
  return value?.kind === "scalar" ? neighbors.component(String(value.value)) : undefined;
}

/**
 * The best matches of a list that may be as long as the file, at most one more than is shown: all if they are few,
 * otherwise those with the typed letters in order, prefixes first. Stops as soon as it has enough. `fits` is called
 * only for results.
 */
function best<Each>(
  all: Iterable<Each>,
  nameOf: (each: Each) => string,
  typed: string,
  fits: (each: Each) => boolean = () => true,
): Each[] {
  const word = typed.toLowerCase();
  const first: Each[] = [];
  const starts: Each[] = [];
  const others: Each[] = [];
  for (const each of all) {
    const name = nameOf(each).toLowerCase();
    const isStart = name.startsWith(word);
    const isOther = !isStart && others.length <= MAX_ITEMS && hasInOrder(name, word);
    if ((!isStart && !isOther && first.length > MAX_ITEMS) || !fits(each)) continue;
    if (first.length <= MAX_ITEMS) first.push(each);
    if (isStart) starts.push(each);
    else if (isOther) others.push(each);
    if (starts.length > MAX_ITEMS) break;
  }
  return first.length <= MAX_ITEMS ? first : starts.concat(others).slice(0, MAX_ITEMS + 1);
}

/** Completion inside text: the values of a variable in a condition, and rule codes in a comment. */
interface InText {
  /** The part of the text that a suggestion replaces. */
  readonly word: Span;
  readonly items: readonly Suggestion[];
}

function suggestionsInText(document: FlowDocument, offset: number, place: Place): InText | undefined {
  if (place.kind === "comment") return ruleCodes(document, offset);
  return place.kind === "value" && place.path.at(-1) === "when" ? valuesAfterIs(document, offset) : undefined;
}

/** `{{plan}} is …`, `{{plan}} == …`: the possible values of the variable. */
function valuesAfterIs(document: FlowDocument, offset: number): InText | undefined {
  const { before, after } = around(document, offset);
  const found = /\{\{\s*([A-Za-z][\w-]*)\s*\}\}\s*(?:is not|isn't|is|==|!=|=)\s+(['"\\]*)([\w-]*(?: [\w-]+)*)$/i.exec(
    before,
  );
  const values = found && valuesIn(document)(found[1] as string);
  if (!values || values.length === 0) return undefined;
  const typed = found[3] as string;
  const rest = /^[\w-]*/.exec(after)?.[0].length ?? 0;
  return {
    word: { start: offset - typed.length, end: offset + rest },
    // Values must not contain the quote that surrounds the condition.
    items: values.filter((value) => !/["'\\\n]/.test(value)).map((value) => suggest("value", value)),
  };
}

/** `# flow-ignore …`: the rules that the comment doesn't name yet. */
function ruleCodes(document: FlowDocument, offset: number): InText | undefined {
  const { before, after } = around(document, offset);
  const found = /#\s*flow-ignore:?\s+((?:[\w-]+[\s,]+)*)([\w-]*)$/.exec(before);
  if (!found) return undefined;
  const typed = (found[2] as string).toLowerCase();
  const named = new Set((found[1] as string).split(/[\s,]+/));
  const rest = /^[\w-]*/.exec(after)?.[0].length ?? 0;
  return {
    word: { start: offset - (found[2] as string).length, end: offset + rest },
    items: ruleCatalog
      .filter(({ code }) => !named.has(code) && code !== "yaml-syntax" && code !== "limit" && hasInOrder(code, typed))
      .map(({ code, title }) => suggest("value", code, title)),
  };
}

/** The line of an offset, before and after it. */
function around(document: FlowDocument, offset: number): { before: string; after: string } {
  const { line } = document.positionAt(offset);
  const start = document.offsetAt({ line, character: 0 });
  const end = document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
  return { before: document.slice({ start, end: offset }), after: document.slice({ start: offset, end }) };
}
