/** Runs the rules about tools. The definitions come from outside the file: from the live revision or from a snapshot. */

import { AttachedCache } from "../attached-cache";
import type { FlowDocument, NodeBlock, VariableBlock } from "../document";
import { IncrementalMap } from "../incremental-map";
import type { DeclaredVariable, KnownTools } from "../tools";
import { isNull, pairOf, textOf } from "../values";
import { severityOf } from "./engine/engine";
import { withoutIgnored } from "./engine/ignore";
import type { BlockFinding, Problem, Rule, RuleSettings, ToolUse } from "./engine/rule";
import { rules } from "./index";

const toolRules = rules.filter((rule) => rule.checkTool);

/** The problems of tool nodes. Without any known tools there are none. */
export function checkTools(
  document: FlowDocument,
  tools: KnownTools | undefined,
  settings: RuleSettings = {},
): Problem[] {
  if (!tools || document.isInConflict) return [];
  let checker = checkers.get(document);
  if (checker?.tools !== tools) {
    checker = new ToolChecker(document, tools);
    checkers.set(document, checker);
  }
  return withoutIgnored(document, checker.check(settings));
}

interface ToolFinding {
  readonly rule: Rule;
  readonly finding: BlockFinding;
}

const checkers = new AttachedCache<FlowDocument, ToolChecker>();

/** Keeps the findings of a node while the node and the types of all variables stay the same. */
class ToolChecker {
  readonly #findings = new IncrementalMap<NodeBlock, readonly ToolFinding[]>((node) => this.#check(node));
  readonly #types = new IncrementalMap<VariableBlock, DeclaredVariable>(declaredVariable);
  #variables = new Map<string, DeclaredVariable>();

  constructor(
    private readonly document: FlowDocument,
    readonly tools: KnownTools,
  ) {}

  check(settings: RuleSettings): Problem[] {
    this.#updateVariables();
    const nodes = this.document.nodes.filter((node) => node.type === "tool" && !node.isBroken);
    const { results } = this.#findings.update(nodes);
    const problems: Problem[] = [];
    for (const [index, findings] of results.entries())
      for (const { rule, finding } of findings) {
        const severity = severityOf({ ...rule, severity: finding.severity ?? rule.severity }, settings);
        const { message, span, data } = finding;
        if (severity)
          problems.push({
            code: rule.code,
            severity,
            message,
            span: this.document.absolute(nodes[index] as NodeBlock, span),
            ...(data !== undefined && { data }),
          });
      }
    return problems;
  }

  #updateVariables(): void {
    const { variables } = this.document;
    const { results, left, came } = this.#types.update(variables);
    if (left.length === 0 && came.length === 0) return;
    const before = this.#variables;
    this.#variables = new Map(variables.map(({ name }, index) => [name, results[index] as DeclaredVariable]));
    const isSame = ([name, variable]: [string, DeclaredVariable]) => isEqual(variable, before.get(name));
    if (before.size !== this.#variables.size || ![...this.#variables].every(isSame)) this.#findings.clear();
  }

  #check(node: NodeBlock): readonly ToolFinding[] {
    const findings: ToolFinding[] = [];
    const use = this.#useOf(node);
    if (use) for (const rule of toolRules) rule.checkTool?.(use, (finding) => findings.push({ rule, finding }));
    return findings;
  }

  #useOf(node: NodeBlock): ToolUse | undefined {
    const id = pairOf(node.value, "tool")?.value;
    const text = textOf(id)?.trim();
    // A template's ID is only known in a call, and a `$name` may have another ID in each environment.
    if (id?.kind !== "scalar" || !text || text.includes("{{")) return undefined;
    if (text.startsWith("$") && !this.tools.get(text)) return undefined;
    const inputs = pairOf(node.value, "inputs");
    return {
      node,
      id,
      tool: this.tools.get(text),
      inputs: isNull(inputs?.value) ? [] : inputs?.value?.kind === "map" ? inputs.value.pairs : undefined,
      known: this.tools,
      variable: (name) => this.#variables.get(name),
    };
  }
}

function isEqual(one: DeclaredVariable, other: DeclaredVariable | undefined): boolean {
  return one.type === other?.type && one.enumValues?.join("\n") === other?.enumValues?.join("\n");
}

function declaredVariable({ value }: VariableBlock): DeclaredVariable {
  const values = pairOf(value, "enum_values")?.value;
  return {
    type: textOf(pairOf(value, "type")?.value),
    enumValues: values?.kind === "list" ? values.items.flatMap((item) => textOf(item) ?? []) : undefined,
  };
}
