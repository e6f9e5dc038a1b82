/** The layout, off the page's own thread, so that panning never waits for it. */
import { arrange } from "./layout";
import type { LayoutRequest } from "./layout-messages";

self.addEventListener("message", (event: MessageEvent<LayoutRequest>) => self.postMessage(arrange(event.data)));
