/** What the page asks of the worker that makes layouts, and what it answers. */
import type { Point } from "../geometry";
import type { Room } from "../views";

export interface LayoutRequest {
  readonly ticket: number;
  /** The window the layout is for. */
  readonly room: Room;
  /** The entry first: dagre ranks from what it sees first. */
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
