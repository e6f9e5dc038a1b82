/** Checks the names and IDs in a flow against the environments that list it. */
import type { FlowDocument, NodeBlock } from "../document";
import { severityOf } from "../rules/engine/engine";
import { withoutIgnored } from "../rules/engine/ignore";
import type { Problem, Rule, RuleSettings } from "../rules/engine/rule";
import { foreignId } from "../rules/foreign-id";
import { literalForName } from "../rules/literal-for-name";
import { unknownName } from "../rules/unknown-name";
import { keyText, type ScalarValue, scalarsIn, textOf } from "../values";
import { didYouMean, listNames, nearest } from "../wording";
import type { FlowEnvironment } from "./environments";
import { NAMED_FIELDS, nameIn } from "./names";

/** The problems of names and IDs in a flow. A flow that no environment lists has none. */
export function checkNames(
  document: FlowDocument,
  environments: readonly FlowEnvironment[],
  settings: RuleSettings = {},
): Problem[] {
  if (environments.length === 0 || document.isInConflict) return [];
  const problems: Problem[] = [];
  for (const node of document.nodes)
    checkNode(node, environments, (rule, message, { span }, data, severity = rule.severity) => {
      const shown = severityOf({ ...rule, severity }, settings);
      const problem = { code: rule.code, message, span: document.absolute(node, span) };
      if (shown) problems.push({ ...problem, severity: shown, ...(data === undefined ? {} : { data }) });
    });
  return withoutIgnored(document, problems);
}

/** How many names and IDs prevent a push to an environment, whatever the rules are set to. */
export function countNameErrors(document: FlowDocument, environment: FlowEnvironment): number {
  let errors = 0;
  for (const node of document.nodes)
    checkNode(node, [environment], (rule) => {
      if (rule !== literalForName) errors++;
    });
  return errors;
}

type Report = (rule: Rule, message: string, at: ScalarValue, data?: string, severity?: Problem["severity"]) => void;

/** Nearly all nodes use no name and no ID. */
const WORTH_CHECKING = /\$|\d/;

function checkNode(node: NodeBlock, environments: readonly FlowEnvironment[], report: Report): void {
  if (node.value?.kind !== "map" || !WORTH_CHECKING.test(node.text)) return;
  for (const pair of node.value.pairs) {
    const key = keyText(pair);
    const isNamed = NAMED_FIELDS.has(key);
    for (const scalar of scalarsIn(pair.value)) {
      const text = textOf(scalar);
      if (text === undefined) continue;
      const name = isNamed ? nameIn(text) : undefined;
      if (name !== undefined) checkUse(name, scalar, environments, report);
      else checkLiteral(text, isNamed, scalar, environments, report);
    }
  }
}

function checkUse(name: string, at: ScalarValue, environments: readonly FlowEnvironment[], report: Report): void {
  const missing = environments.filter(({ names }) => !names.has(name));
  if (missing.length === 0) return;
  const where = `${missing.length === 1 ? "environment" : "environments"} ${listNames(missing.map((each) => each.name))}`;
  const near = nearest(name, new Set(environments.flatMap(({ names }) => [...names.keys()])));
  const advice = near !== undefined && missing.length === environments.length ? ` ${didYouMean(`$${near}`)}` : "";
  report(unknownName, `Name "${name}" isn't defined in ${where}.${advice}`, at, advice ? near : undefined);
}

function checkLiteral(
  text: string,
  isNamed: boolean,
  at: ScalarValue,
  environments: readonly FlowEnvironment[],
  report: Report,
): void {
  const id = text.trim().toLowerCase();
  for (const { name: environment, foreign } of environments) {
    const found = foreign.get(id);
    if (!found) continue;
    const instead = isNamed ? found.name : undefined;
    const what = found.name === undefined ? "an ID" : `the ID of "${found.name}"`;
    const advice = instead === undefined ? "" : ` Use \`$${instead}\`.`;
    report(
      foreignId,
      `This is ${what} in environment "${found.environment}", so it can't be sent to "${environment}".${advice}`,
      at,
      instead,
    );
    return;
  }
  if (!isNamed) return;
  for (const { names } of environments)
    for (const [name, value] of names) {
      if (value !== text) continue;
      const others = environments.filter((each) => each.names.get(name) !== value);
      const message =
        others.length > 0
          ? `This is the value of "${name}", which differs in ${listNames(others.map((each) => each.name))}. Use \`$${name}\`.`
          : `This is the value of "${name}". Use \`$${name}\`, so that it can differ between environments.`;
      report(literalForName, message, at, name, others.length > 0 ? "warning" : literalForName.severity);
      return;
    }
}
