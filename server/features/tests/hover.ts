/** Hover in test files. */
import { contains } from "../../../flow";
import type { RunEdge } from "../../../flow/run";
import { nameIn, namesInTest, runTest, shownPath, type TestName, testKeys } from "../../../flow/test";
import { codeSpan, escapeMarkdown, t } from "../../../text";
import { placeInList } from "../completion/place";
import { aboutCondition, aboutNode, aboutVariable } from "../hover/documentation";
import type { Hover } from "../hover/hover";
import { type TestContext, testAt } from "./context";

export function hoverInTest(context: TestContext, offset: number): Hover | undefined {
  const { file, text, program, flowOf } = context;
  if (file.flow && contains(file.flow.span, offset)) return aboutFlow(context);
  const test = testAt(file, offset);
  const name = program && test && nameIn(namesInTest(test, text, program, flowOf), offset);
  if (name) {
    const about = aboutName(name);
    if (about) return { span: name.span, text: about };
  }
  if (program && test && contains(test.nameSpan, offset)) {
    const { status, path, failures } = runTest(test, program, flowOf);
    const route = path.length > 0 ? [`Path: ${escapeMarkdown(shownPath(path))}`] : [];
    const title =
      status === "passed"
        ? "**Passes.**"
        : status === "skipped"
          ? `**Skipped.** ${escapeMarkdown(test.skip?.value ?? "")}`
          : `**Fails.** ${escapeMarkdown(failures[0]?.message ?? "")}`;
    return { span: test.nameSpan, text: [title, ...route].join("\n\n") };
  }
  return aboutKey(text, offset);
}

function aboutFlow({ file, program }: TestContext): Hover | undefined {
  if (!file.flow || !program) return undefined;
  const { nodes, document } = program;
  const edges = [...nodes.values()].reduce((sum, node) => sum + node.edges.length, 0);
  const counts = `${nodes.size} nodes, ${edges} edges, ${document.variables.length} variables`;
  return {
    span: file.flow.span,
    text: `${codeSpan(file.flow.value)}\n\n${counts}. Entry: ${codeSpan(program.entry?.id ?? "none")}.`,
  };
}

function aboutName(name: TestName): string | undefined {
  const { document, nodes } = name.program;
  if (name.kind === "edge") return aboutEdge(name.edge);
  if (name.kind === "variable") return aboutVariable(document, name.name);
  const node = name.kind === "node" ? document.node(name.name) : undefined;
  if (node) return aboutNode(document, node);
  const callers = [...nodes.values()].filter(({ calls }) => calls === name.name);
  return callers.length > 0 ? t("Called by {0}.", callers.map(({ id }) => codeSpan(id)).join(", ")) : undefined;
}

export function aboutEdge({ id, from, to, when, label, condition }: RunEdge): string {
  return [
    `**edge** ${codeSpan(from)} → ${codeSpan(to)}`,
    ...(when ? [t("when {0}", escapeMarkdown(when.trim()))] : []),
    ...(label ? [t("label {0}", escapeMarkdown(label.trim()))] : []),
    t("ID {0}", codeSpan(id)),
    ...(condition ? [aboutCondition(condition)] : [t("**Default.** Taken when no edge before it is.")]),
  ].join("\n\n");
}

/** The key at the end of a path, from the table for its parent; a dash is a list item. */
function aboutKey(text: string, offset: number): Hover | undefined {
  const place = placeInList(text, offset, "tests");
  if (place.kind !== "key" || !place.hasColon) return undefined;
  const isInCase = place.path[2] === "cases" && place.path[3] === "-";
  const path = isInCase ? [...place.path.slice(0, 2), ...place.path.slice(4)] : place.path;
  const [top, item, part, inner] = path;
  const table =
    top === undefined
      ? testKeys.file
      : top !== "tests" || item !== "-"
        ? []
        : part === undefined
          ? testKeys[isInCase ? "case" : "test"]
          : part === "steps" && inner === "-" && path.length === 4
            ? testKeys.step
            : part === "expect" && inner === undefined
              ? testKeys.expect
              : part === "tools" && inner !== undefined
                ? testKeys.stub
                : [];
  const { start, end } = place.word;
  const word = text.slice(start, end).replace(/^(["'])(.*)\1$/, "$2");
  const key = table.find(({ name }) => name === word);
  return key && { span: place.word, text: `**${key.name}**\n\n${key.doc}` };
}
