/** What the features of test files and policy files have in common. */

import type { Span } from "../../flow";
import type { Program, RunEdge } from "../../flow/run";
import type { FlowPlace } from "../../flow/test";
import type { Suggestions } from "./completion/completion";
import type { Hover } from "./hover/hover";

/** A companion as it is now, together with the flows it speaks of. */
export interface LoadedCompanion {
  complete(offset: number): Suggestions;
  hover(offset: number): Hover | undefined;
  outline(): readonly CompanionSymbol[];
  /** What the name at an offset stands for; several where it speaks of several flows. */
  names(offset: number): readonly CompanionName[];
  /** Where the same name stands in this file. */
  same(offset: number): readonly Span[];
  /** Flow files that are named at an offset, by address. */
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
  /** What it leads to, in flows. */
  readonly places: readonly FlowPlace[];
  /** The test it debugs, by name. */
  readonly debugs?: string;
}

export interface CompanionSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: "file" | "test" | "step" | "policy";
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly CompanionSymbol[];
}
