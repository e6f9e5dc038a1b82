/** Requests layouts from the worker, one at a time; only the newest result is used. */
import type { GraphView } from "../../../server/messages";
import { labelLines } from "../draw";
import type { LayoutAnswer, LayoutRequest } from "./layout-messages";
import { edgeKeys } from "./placing";

/** The extension puts the URL of the worker's code in the page. The code is fetched and started from a blob. */
export function startArranging(): (view: GraphView, room: LayoutRequest["room"]) => Promise<LayoutAnswer | undefined> {
  const address = document.body.dataset.worker as string;
  const worker = fetch(address)
    .then((response) => response.blob())
    .then((code) => new Worker(URL.createObjectURL(code)));
  let ticket = 0;
  return async (view, room) => {
    const mine = ++ticket;
    const running = await worker;
    return new Promise((resolve) => {
      const listen = (event: MessageEvent<LayoutAnswer>) => {
        if (event.data.ticket !== mine) return;
        running.removeEventListener("message", listen);
        resolve(mine === ticket ? event.data : undefined);
      };
      running.addEventListener("message", listen);
      running.postMessage(requestFor(view, room, mine));
    });
  };
}

function requestFor(view: GraphView, room: LayoutRequest["room"], ticket: number): LayoutRequest {
  const ids = [...new Set(view.nodes.map((node) => node.id))];
  const known = new Set(ids);
  const keys = edgeKeys(view);
  const first = view.entry !== undefined && known.has(view.entry) ? [view.entry] : [];
  return {
    ticket,
    room,
    nodes: [...first, ...ids.filter((id) => id !== view.entry)],
    edges: view.edges.flatMap((edge, index) =>
      known.has(edge.source) && known.has(edge.target)
        ? [
            {
              key: keys[index] as string,
              source: edge.source,
              target: edge.target,
              labelLines: labelLines(edge).length,
            },
          ]
        : [],
    ),
  };
}
