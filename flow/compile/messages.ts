/** The messages of a compile as problems in a flow file. They move with the text until a newer version is pushed. */
import type { FlowDocument } from "../document";
import { type TrackedSpan, track } from "../findings/track";
import type { Problem, Severity } from "../rules/engine/rule";
import type { Span, TextEdit } from "../text";
import { messagePlaces } from "./place";
import type { CompileResult } from "./result";

interface Message {
  readonly code: "compile-error" | "compile-warning";
  readonly severity: Severity;
  readonly message: string;
  span: TrackedSpan;
}

export class CompileMessages {
  #messages: readonly Message[] = [];

  /** `document` is the file in its current state. */
  set({ errors, warnings }: Pick<CompileResult, "errors" | "warnings">, document: FlowDocument): void {
    this.#messages = [];
    if (errors.length + warnings.length === 0) return;
    const placeOf = messagePlaces(document);
    const placed = (message: string) => ({ message, span: { ...placeOf(message), touched: false } });
    this.#messages = [
      ...errors.map((error): Message => ({ code: "compile-error", severity: "error", ...placed(error) })),
      ...warnings.map((warning): Message => ({ code: "compile-warning", severity: "warning", ...placed(warning) })),
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
    let placeOf: ((message: string) => Span) | undefined;
    return this.#messages
      .filter(({ message }) => !found.has(message))
      .map(({ code, severity, message, span }) => {
        if (span.touched && span.start === span.end) placeOf ??= messagePlaces(document);
        const { start, end } = span.touched && span.start === span.end && placeOf ? placeOf(message) : span;
        const repeats = RULE_ID.exec(message)?.[1];
        return { code, severity, message, span: { start, end }, ...(repeats && { data: { repeats } }) };
      });
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
