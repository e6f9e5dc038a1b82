/** Common types of the features of test, policy and project files. */

import type { Span } from "../../flow";
import type { Program, RunEdge } from "../../flow/run";
import type { FlowPlace } from "../../flow/test";
import type { Suggestions } from "./completion/suggestion";
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
