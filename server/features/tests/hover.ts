/** Hover in test files. */
import { contains, type FileKey } from "../../../flow";
import type { RunEdge } from "../../../flow/run";
import { nameIn, namesInTest, runTest, shownPath, type TestName, testKeys } from "../../../flow/test";
import { codeSpan, escapeMarkdown, t } from "../../../text";
import { hoverKey } from "../companion";
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
  return hoverKey(text, offset, "tests", keysAt);
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

/** The keys of the table for a path; a dash is a list item. */
function keysAt(path: readonly string[]): readonly FileKey[] {
  const isInCase = path[2] === "cases" && path[3] === "-";
  const [top, item, part, inner, ...rest] = isInCase ? [...path.slice(0, 2), ...path.slice(4)] : path;
  if (top === undefined) return testKeys.file;
  if (top !== "tests" || item !== "-") return [];
  if (part === undefined) return testKeys[isInCase ? "case" : "test"];
  if (part === "steps" && inner === "-" && rest.length === 0) return testKeys.step;
  if (part === "expect" && inner === undefined) return testKeys.expect;
  return part === "tools" && inner !== undefined ? testKeys.stub : [];
}
