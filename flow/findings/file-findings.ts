/**
 * The platform's findings of one file. They were made for the text that was sent; from then on they move with every
 * edit, fade where their own text is edited, and go when an answer no longer has them.
 */
import { FlowDocument } from "../document";
import type { Problem, Severity } from "../rules/engine/rule";
import type { TextEdit } from "../text";
import type { PlacedFinding, PlatformFinding } from "./finding";
import { placeFinding } from "./spans";
import { type TrackedSpan, track } from "./track";

interface Tracked {
  readonly placed: PlacedFinding;
  span: TrackedSpan;
  shown: TrackedSpan;
  related: { readonly message: string; span: TrackedSpan }[];
}

/** What `Problem.data` holds for a finding of the platform. */
export interface FindingData {
  readonly finding: number;
  readonly category?: string;
}

export class FileFindings {
  #tracked: Tracked[] = [];

  /** `text` is what the file said when it was last saved; `fresh`: the findings speak of that very text. */
  set(findings: readonly PlatformFinding[], text: string, fresh: boolean): void {
    const document = FlowDocument.read(text);
    this.#tracked = findings.map((finding) => {
      const placed = placeFinding(document, finding);
      const related = placed.related.map(({ message, span }) => ({ message, span: { ...span, touched: false } }));
      const shown = { ...placed.shown, touched: false };
      return { placed, span: { ...placed.span, touched: !fresh && isGone(placed) }, shown, related };
    });
  }

  edit(edits: readonly TextEdit[]): void {
    for (const tracked of this.#tracked) {
      tracked.span = track(tracked.span, edits);
      tracked.shown = track(tracked.shown, edits);
      for (const place of tracked.related) place.span = track(place.span, edits);
    }
  }

  problems(): Problem[] {
    return this.#tracked.map(({ placed: { finding }, span, shown, related }, index) => ({
      code: finding.rule_id ?? "platform",
      severity: span.touched ? "hint" : severityOf(finding.severity),
      message: messageOf(finding, span.touched),
      span: { start: shown.start, end: shown.end },
      related: related.map((place) => ({
        message: place.message,
        span: { start: place.span.start, end: place.span.end },
      })),
      data: { finding: index, ...(finding.category ? { category: finding.category } : {}) } satisfies FindingData,
      ...(span.touched ? { unnecessary: true } : {}),
    }));
  }

  /** A finding with its place in the text as it is now; none where its own text was edited since. */
  placed(problem: Problem): PlacedFinding | undefined {
    const index = (problem.data as Partial<FindingData> | undefined)?.finding;
    const tracked = index === undefined ? undefined : this.#tracked[index];
    if (!tracked || tracked.span.touched) return undefined;
    return { ...tracked.placed, span: { start: tracked.span.start, end: tracked.span.end } };
  }
}

/** The finding quotes a text that is not there: it speaks of what the file said before. */
function isGone({ finding, anchor }: PlacedFinding): boolean {
  const quoted = finding.source_span?.raw_text_excerpt?.trim();
  return Boolean(quoted) && anchor !== "span" && anchor !== "excerpt";
}

/** Only `error` is documented; what is unknown is shown as a warning rather than lost. */
function severityOf(severity: string | undefined): Severity {
  switch (severity?.toLowerCase()) {
    case "error":
    case "blocking":
    case "critical":
      return "error";
    case "suggestion":
    case "hint":
      return "hint";
    case "info":
    case "information":
    case "note":
      return "info";
    default:
      return "warning";
  }
}

function messageOf(finding: PlatformFinding, touched: boolean): string {
  const said = finding.message?.trim() || "The platform complains here without saying why.";
  const known = ["error", "warning", "suggestion"].includes(finding.severity ?? "");
  const kind = known || !finding.severity ? "" : `${finding.severity}: `;
  return `${kind}${said}${touched ? " (edited since; save to ask again)" : ""}`;
}
