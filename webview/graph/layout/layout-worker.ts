/** Runs the layout in a worker, so that panning stays smooth. */
import { arrange } from "./layout";
import type { LayoutRequest } from "./layout-messages";

self.addEventListener("message", (event: MessageEvent<LayoutRequest>) => self.postMessage(arrange(event.data)));
