/**
 * The rules that a platform blocks on: it doesn't run a flow that breaks them, even if they only warn here. A push isn't
 * held up by a warning, so its message says so beforehand. Some of these rules are known from the sandbox; what a
 * platform does is learned from its answers.
 */
import type { FlowDocument } from "../document";
import { rules } from "../rules";
import { checkDocument } from "../rules/engine/engine";
import type { Problem, RuleSettings } from "../rules/engine/rule";
import type { PlatformFinding } from "./finding";
import { ruleWords } from "./same-rule";
import { severityOf } from "./severity";

/** What a platform was seen to do with a flow that breaks one of our rules, by the rule's code: true if it blocks. */
export type BlockingRules = Readonly<Record<string, boolean>>;

/** Always the same object, since a list of diagnostics starts again with another one. */
export const NOTHING_LEARNED: BlockingRules = {};

/** What an answer of the platform says about a flow. */
interface Answer {
  readonly findings: readonly PlatformFinding[] | undefined;
  /** How many errors there are, if the platform counts them. */
  readonly errors: number | undefined;
}

const known: ReadonlySet<string> = new Set([
  "undefined-variable",
  "unknown-output-variable",
  "endless-loop",
  "empty-flow",
]);

/** Whether the platform doesn't run a flow that breaks this rule. */
export function blocksOn(code: string, learned: BlockingRules): boolean {
  return learned[code] ?? known.has(code);
}

/** The codes of the rules that this platform treats differently than the sandbox. */
export function differsFromKnown(learned: BlockingRules): string[] {
  return Object.keys(learned).filter((code) => learned[code] !== known.has(code));
}

/** Reads what is stored of a platform. Anything but a boolean for one of our rules is ignored. */
export function readBlocking(stored: unknown): BlockingRules {
  const values = typeof stored === "object" && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {};
  const read = rules.flatMap(({ code }) => {
    const value = Object.hasOwn(values, code) ? values[code] : undefined;
    return typeof value === "boolean" ? [[code, value] as const] : [];
  });
  return read.length > 0 ? Object.fromEntries(read) : NOTHING_LEARNED;
}

/**
 * The rules after another answer, or the same object if it says nothing new. `brokenOf` returns which of some rules the
 * flow of the answer breaks: one that it breaks without an error on the platform doesn't block.
 */
export function learnBlocking(
  learned: BlockingRules,
  { findings, errors }: Answer,
  brokenOf: (isWanted: (code: string) => boolean) => readonly string[],
): BlockingRules {
  if (!findings) return learned;
  const isError = ({ severity }: PlatformFinding) => severityOf(severity) === "error";
  const blocking = namesIn(findings.filter(isError));
  const milder = namesIn(findings.filter((finding) => !isError(finding)));
  // Otherwise some errors aren't listed.
  const isComplete = errors !== undefined && findings.filter(isError).length >= errors;
  const broken = new Set(isComplete ? brokenOf((code) => blocksOn(code, learned)) : []);
  const now: Record<string, boolean> = { ...learned };
  for (const { code } of rules) {
    const words = ruleWords(code);
    if (blocking.has(words)) now[code] = true;
    else if (milder.has(words) || broken.has(code)) now[code] = false;
  }
  // Most rules never block anywhere, so nothing is kept about them.
  for (const code of Object.keys(now)) if (!now[code] && !known.has(code)) delete now[code];
  const codes = Object.keys({ ...learned, ...now });
  return codes.every((code) => learned[code] === now[code]) ? learned : now;
}

/** The rules that findings name. The name of a rule may be split: rule `unknown` of category `variables`. */
function namesIn(findings: readonly PlatformFinding[]): Set<string> {
  const names = findings.flatMap(({ rule_id = "", category = "" }) => [rule_id, category, `${category} ${rule_id}`]);
  return new Set([...new Set(names)].map(ruleWords));
}

/** The message of a problem of ours, with what it means on the platform. */
export function messageBeforePush(problem: Noted, learned: BlockingRules): string {
  return saysMore(problem, learned)
    ? `${problem.message} This prevents the flow from running on the platform.`
    : problem.message;
}

/** The problems that don't hold up a push, although the platform doesn't run a flow that has them. */
export function problemsBeforePush(document: FlowDocument, settings: RuleSettings, learned: BlockingRules): Problem[] {
  return checkDocument(document, settings).filter((problem) => saysMore(problem, learned));
}

type Noted = Pick<Problem, "code" | "severity" | "message" | "alsoBy">;

function saysMore({ code, severity, alsoBy }: Noted, learned: BlockingRules): boolean {
  return severity !== "error" && !alsoBy && blocksOn(code, learned);
}
