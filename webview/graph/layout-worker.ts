/** The layout, off the page's own thread, so that panning never waits for it. */
import { arrange, type LayoutRequest } from "./layout";

self.addEventListener("message", (event: MessageEvent<LayoutRequest>) => self.postMessage(arrange(event.data)));
