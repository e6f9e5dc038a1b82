/**
 * The platform's findings for one file. They were made for a version of the flow on the platform. Those that still
 * apply to the text are shown on it, move with every edit, and fade if their own text is edited. The others are listed
 * at `revision`, as the platform's state.
 */
import type { FlowDocument } from "../document";
import type { Problem } from "../rules/engine/rule";
import type { TextEdit } from "../text";
import type { PlacedFinding, PlatformFinding } from "./finding";
import { onPlatform, outdatedIn, type Since } from "./outdated";
import { severityOf } from "./severity";
import { firstLine, placeFinding } from "./spans";
import { type TrackedSpan, track } from "./track";

interface Tracked {
  readonly placed: PlacedFinding;
  /** What it depends on differs in the text. */
  readonly isOutdated: boolean;
  span: TrackedSpan;
  shown: TrackedSpan;
  related: { readonly message: string; span: TrackedSpan }[];
}

/** `Problem.data` of a platform finding. */
export interface FindingData {
  readonly finding: number;
  readonly category?: string;
  /** It's about another version of the flow than the text. */
  readonly isOutdated?: true;
}

export class FileFindings {
  #tracked: Tracked[] = [];
  #version: number | undefined;

  /** `document` is the file as last saved. Without `since`, the findings were made for it. */
  set(findings: readonly PlatformFinding[], document: FlowDocument, since?: Since): void {
    this.#tracked = [];
    this.#place(findings, document, since);
  }

  /** The same findings after another save. Those that still apply stay on their text. */
  saved(document: FlowDocument, since: Since): void {
    this.#place(
      this.#tracked.map(({ placed }) => placed.finding),
      document,
      since,
    );
  }

  #place(findings: readonly PlatformFinding[], document: FlowDocument, since: Since | undefined): void {
    this.#version = since?.version;
    const isOutdated = since ? outdatedIn(document, since) : () => false;
    this.#tracked = findings.map((finding, index): Tracked => {
      const found = placeFinding(document, finding);
      const isOld = isOutdated(found);
      const before = this.#tracked[index];
      if (before && !isOld && !before.isOutdated && !before.span.touched) return before;
      const placed = isOld ? { ...found, ...placeOfOutdated(document), related: [] } : found;
      const related = placed.related.map(({ message, span }) => ({ message, span: { ...span, touched: false } }));
      const shown = { ...placed.shown, touched: false };
      return { placed, isOutdated: isOld, span: { ...placed.span, touched: false }, shown, related };
    });
  }

  /** The number of errors about another version of the flow than the text. */
  get outdatedErrors(): number {
    return this.#tracked.filter((each) => each.isOutdated && severityOf(each.placed.finding.severity) === "error")
      .length;
  }

  /** Whether the text of a finding was edited since it was placed. */
  get isEdited(): boolean {
    return this.#tracked.some(({ span }) => span.touched);
  }

  edit(edits: readonly TextEdit[]): void {
    for (const tracked of this.#tracked) {
      tracked.span = track(tracked.span, edits);
      tracked.shown = track(tracked.shown, edits);
      for (const place of tracked.related) place.span = track(place.span, edits);
    }
  }

  problems(): Problem[] {
    return this.#tracked.map(({ placed: { finding }, isOutdated, span, shown, related }, index) => ({
      code: finding.rule_id ?? "platform",
      severity: isOutdated ? "info" : span.touched ? "hint" : severityOf(finding.severity),
      message: isOutdated
        ? onPlatform({ version: this.#version }, messageOf(finding, false))
        : messageOf(finding, span.touched),
      span: { start: shown.start, end: shown.end },
      related: related.map((place) => ({
        message: place.message,
        span: { start: place.span.start, end: place.span.end },
      })),
      data: {
        finding: index,
        ...(finding.category ? { category: finding.category } : {}),
        ...(isOutdated ? { isOutdated } : {}),
      } satisfies FindingData,
      ...(span.touched && !isOutdated ? { unnecessary: true } : {}),
    }));
  }

  /** A finding with its current place in the text; undefined if it may no longer apply. */
  placed(problem: Problem): PlacedFinding | undefined {
    const index = (problem.data as Partial<FindingData> | undefined)?.finding;
    const tracked = index === undefined ? undefined : this.#tracked[index];
    if (!tracked || tracked.isOutdated || tracked.span.touched) return undefined;
    return { ...tracked.placed, span: { start: tracked.span.start, end: tracked.span.end } };
  }
}

/** Findings about another version are listed at the key that links the file. */
function placeOfOutdated(document: FlowDocument): Pick<PlacedFinding, "span" | "shown"> {
  const entry = document.top("revision");
  const start = entry ? document.startOf(entry) : 0;
  const span = entry ? { start: start + entry.keySpan.start, end: start + entry.keySpan.end } : firstLine(document);
  return { span, shown: span };
}

function messageOf(finding: PlatformFinding, touched: boolean): string {
  const said = finding.message?.trim() || "The platform reported a problem here without details.";
  const known = ["error", "warning", "suggestion"].includes(finding.severity ?? "");
  const kind = known || !finding.severity ? "" : `${finding.severity}: `;
  return `${kind}${said}${touched ? " (edited since; save to check again)" : ""}`;
}
