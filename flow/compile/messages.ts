/**
 * The messages of a compile as problems in a flow file. They move with the text until a newer version is pushed. Those
 * about elements that have changed since are listed at `revision`, as the platform's state.
 */
import type { FlowDocument } from "../document";
import { onPlatform, outdatedIn, type Since } from "../findings/outdated";
import { placeFinding } from "../findings/spans";
import { type TrackedSpan, track } from "../findings/track";
import type { Problem, Severity } from "../rules/engine/rule";
import type { Span, TextEdit } from "../text";
import { messagePlaces, revisionSpan } from "./place";
import type { CompileResult } from "./result";

interface Message {
  readonly code: "compile-error" | "compile-warning";
  readonly severity: Severity;
  readonly message: string;
  /** What it's about differs in the text. */
  readonly isOutdated: boolean;
  span: TrackedSpan;
}

export class CompileMessages {
  #messages: readonly Message[] = [];

  #since: Since | undefined;

  /** `document` is the saved file. Without `since`, the messages are about it. */
  set({ errors, warnings }: Pick<CompileResult, "errors" | "warnings">, document: FlowDocument, since?: Since): void {
    this.#messages = [];
    this.#since = since;
    if (errors.length + warnings.length === 0) return;
    const placeOf = messagePlaces(document);
    const isOutdated = since ? outdatedIn(document, since) : () => false;
    const placed = (message: string, severity: Severity) =>
      isOutdated(placeFinding(document, { message }))
        ? { message, severity: "info" as const, isOutdated: true, span: { ...revisionSpan(document), touched: false } }
        : { message, severity, isOutdated: false, span: { ...placeOf(message), touched: false } };
    this.#messages = [
      ...errors.map((error): Message => ({ code: "compile-error", ...placed(error, "error") })),
      ...warnings.map((warning): Message => ({ code: "compile-warning", ...placed(warning, "warning") })),
    ];
  }

  edit(edits: readonly TextEdit[]): void {
    for (const message of this.#messages) message.span = track(message.span, edits);
  }

  /**
   * The messages in the current text. A message that the platform's findings have as well is shown once, as a finding; one
   * whose place was replaced, as by a formatter, is placed again.
   */
  problems(findings: readonly Problem[], document: FlowDocument): Problem[] {
    if (this.#messages.length === 0) return [];
    const found = new Set(findings.flatMap(({ code, message }) => [message, `${code}: ${message}`]));
    const outdated = new Set(findings.map(({ message }) => message));
    const isFound = (message: string) => {
      const [, rule = ""] = RULE_ID.exec(message) ?? [];
      return found.has(message) || outdated.has(this.#onPlatform(rule ? message.slice(rule.length + 2) : message));
    };
    let placeOf: ((message: string) => Span) | undefined;
    return this.#messages
      .filter(({ message }) => !isFound(message))
      .map(({ code, severity, message, isOutdated, span }): Problem => {
        if (isOutdated) return { code, severity, message: this.#onPlatform(message), span };
        if (span.touched && span.start === span.end) placeOf ??= messagePlaces(document);
        const { start, end } = span.touched && span.start === span.end && placeOf ? placeOf(message) : span;
        const repeats = RULE_ID.exec(message)?.[1];
        return { code, severity, message, span: { start, end }, ...(repeats && { data: { repeats } }) };
      });
  }

  #onPlatform(message: string): string {
    return onPlatform({ version: this.#since?.version }, message);
  }
}

/** Some messages begin with the rule they come from, and one of our rules may report the same. */
const RULE_ID = /^([A-Za-z][\w-]*\.[\w.-]+): /;

export function compileProblems(
  document: FlowDocument,
  result: CompileResult,
  findings: readonly Problem[] = [],
): Problem[] {
  const messages = new CompileMessages();
  messages.set(result, document);
  return messages.problems(findings, document);
}
