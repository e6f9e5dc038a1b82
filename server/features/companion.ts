/** Common types and functions of the features of test, policy and project files. */

import type { FileKey, Span } from "../../flow";
import type { Program, RunEdge } from "../../flow/run";
import type { FlowPlace } from "../../flow/test";
import { partAround, placeIn } from "./completion/companion-place";
import type { Suggestion, Suggestions } from "./completion/insertion";
import type { KeyPlace } from "./completion/place-scanner";
import type { Hover } from "./hover/hover";

/** A companion file in its current state, with its flows. */
export interface LoadedCompanion {
  complete(offset: number): Suggestions;
  hover(offset: number): Hover | undefined;
  outline(): readonly CompanionSymbol[];
  /** The flow elements named at an offset; several if several flows have the name. */
  names(offset: number): readonly CompanionName[];
  /** The occurrences of the same name in this file. */
  same(offset: number): readonly Span[];
  /** Flow files that are named at an offset, by URI. */
  files(offset: number): { readonly span: Span; readonly uris: readonly string[] } | undefined;
  lenses(): readonly CompanionLens[];
}

export type CompanionName = { readonly span: Span; readonly program: Program } & (
  | { readonly kind: "node" | "variable"; readonly name: string }
  | { readonly kind: "edge"; readonly edge: RunEdge; readonly by: "id" | "when" | "label" | "target" }
);

export interface CompanionLens {
  readonly span: Span;
  readonly title: string;
  /** The locations in flows that it opens. */
  readonly places: readonly FlowPlace[];
  /** The name of the test it debugs. */
  readonly debugs?: string;
}

export interface CompanionSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: "file" | "test" | "step" | "policy" | "environment" | "name";
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly CompanionSymbol[];
}

/**
 * The keys that a map doesn't have yet. `opening` is a snippet for everything after a key whose value isn't a scalar,
 * with the colon.
 */
export function keyItems(
  keys: readonly FileKey[],
  place: KeyPlace,
  opening: (name: string) => string | undefined,
): Suggestion[] {
  return keys
    .filter(({ name }) => !place.taken.has(name) || name === place.typed)
    .map(({ name, doc }) => {
      const opened = place.hasColon ? undefined : opening(name);
      return {
        label: name,
        kind: "key",
        detail: doc,
        insert: place.hasColon ? name : `${name}${opened ?? ": "}`,
        snippet: opened !== undefined,
        more: !place.hasColon,
      };
    });
}

/** The documentation of a key. `list` is the key of the long list, if the file has one. */
export function hoverKey(
  text: string,
  offset: number,
  list: string | undefined,
  keysAt: (path: readonly string[]) => readonly FileKey[],
): Hover | undefined {
  const place = placeIn(partAround(text, offset, list), offset);
  if (place.kind !== "key" || !place.hasColon) return undefined;
  const { start, end } = bare(text, place.word);
  const word = text.slice(start, end);
  const key = keysAt(place.path).find(({ name }) => name === word);
  return key && { span: place.word, text: `**${key.name}**\n\n${key.doc}` };
}

/** The range inside the quotes, if there are any. */
export function bare(text: string, { start, end }: Span): Span {
  return /["']/.test(text[start] ?? "") && text[end - 1] === text[start]
    ? { start: start + 1, end: end - 1 }
    : { start, end };
}
