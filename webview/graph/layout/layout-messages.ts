/** Messages between the page and its layout worker. */
import type { Point } from "../geometry";
import type { Room } from "../views";

export interface LayoutRequest {
  readonly ticket: number;
  /** The size of the window. */
  readonly room: Room;
  /** Starts with the entry, since dagre ranks nodes in this order. */
  readonly nodes: readonly string[];
  readonly edges: readonly {
    readonly key: string;
    readonly source: string;
    readonly target: string;
    readonly labelLines: number;
  }[];
}

export interface LayoutAnswer {
  readonly ticket: number;
  readonly places: readonly (readonly [string, Point])[];
  readonly routes: readonly (readonly [string, Route])[];
}

export interface Route {
  readonly points: readonly Point[];
  readonly label: Point | undefined;
}
