import { MAX_COMPARED, toolName } from "../tools";
import { keyText, type Pair } from "../values";
import { didYouMean, nearest } from "../wording";
import { plainOrQuoted, quoted, removeKey } from "./engine/edits";
import { type Fix, fixWith, type Rule, type ToolUse } from "./engine/rule";

export const unknownToolInput: Rule = {
  code: "unknown-tool-input",
  severity: "warning",
  title: "Unknown tool input",
  checkTool(use, report) {
    const typos = inputTypos(use);
    for (const pair of unknownInputs(use)) {
      const near = typos.get(pair);
      const fact = `Tool ${toolName(use.tool)} has no input "${keyText(pair)}".`;
      report({
        message: near ? `${fact} ${didYouMean(near)}` : fact,
        span: pair.key.span,
        data: { input: keyText(pair), ...(near !== undefined && { near }) },
      });
    }
  },
  fixes({ span, data }, document) {
    const { input, near } = data as { input: string; near?: string };
    const fixes: Fix[] = [];
    if (near !== undefined) {
      const text = /^["']/.test(document.slice(span)) ? quoted(near) : plainOrQuoted(near);
      fixes.push({ title: `Rename to "${near}"`, edits: [{ ...span, text }], preferred: true });
    }
    return [...fixes, ...fixWith(`Remove input "${input}"`, removeKey(document, span))];
  },
};

/** Inputs that the tool doesn't declare. An input it used to have is reported by stale-tool-input. */
function unknownInputs({ tool, inputs }: ToolUse): readonly Pair[] {
  const declared = tool?.inputs;
  if (!declared || !inputs) return [];
  return inputs.filter((pair) => {
    const name = keyText(pair);
    return !declared.some((input) => input.name === name) && !tool.staleInputs.includes(name);
  });
}

/** What the author of an unknown input probably meant: a declared input that isn't set yet, required ones first. */
export function inputTypos(use: ToolUse): ReadonlyMap<Pair, string> {
  const typos = new Map<Pair, string>();
  const unknown = unknownInputs(use);
  if (unknown.length === 0 || (use.tool?.inputs?.length ?? 0) > MAX_COMPARED) return typos;
  const present = new Set(use.inputs?.map(keyText));
  const free = (use.tool?.inputs ?? []).filter(({ name }) => !present.has(name));
  const required = free.filter((input) => input.required).map(({ name }) => name);
  const optional = free.filter((input) => !input.required).map(({ name }) => name);
  for (const pair of unknown) {
    const name = keyText(pair);
    const near = nearest(name, required, true) ?? nearest(name, optional, true);
    if (near !== undefined) typos.set(pair, near);
  }
  return typos;
}
