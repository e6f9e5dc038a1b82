/**
 * The sandbox without a server, for a browser: requests are handed to it in the same process. Its state is in memory.
 * `.invalid` is a domain that can never exist, so its URLs lead nowhere else.
 */

import { randomHex } from "../system";
import { openBackend } from "./backend";
import { Clock } from "./clock";
import { messageOf, run } from "./http/exchange";
import { Store } from "./storage/store";

/** The files of examples/ that the demo is made from. */
export const DEMO_EXAMPLES = ["support-line.flow.yaml", "billing.flow.yaml"] as const;

export interface InProcessSandbox {
  readonly baseUrl: string;
  readonly workflowBaseUrl: string;
  /** A key with all permissions. */
  readonly apiKey: string;
  /** Answers a request to one of the URLs. */
  answer(url: URL, init: RequestInit): Promise<Response>;
}

/** Opens a sandbox with demo data. `examples` has the content of `DEMO_EXAMPLES` by name. */
export async function openInProcess(
  examples: ReadonlyMap<string, string>,
  report: (message: string) => void,
): Promise<InProcessSandbox> {
  const clock = new Clock();
  const store = await Store.open({ now: () => clock.now(), report });
  const backend = await openBackend(store, clock, { demo: true }, (name) => examples.get(name) ?? "");
  // Each has its own name, so that sync doesn't take it for an earlier one.
  const host = `${randomHex(4)}.sandbox.invalid`;
  const urls = { platform: `https://${host}`, calling: `https://calls.${host}` };
  const faces = new Map(
    (["platform", "calling"] as const).map((family) => [urls[family], backend.face(family, urls, report)]),
  );
  return {
    baseUrl: urls.platform,
    workflowBaseUrl: urls.calling,
    apiKey: backend.apiKey,
    async answer({ origin, pathname, searchParams }, { method = "GET", headers, body }) {
      const face = faces.get(origin);
      if (!face) throw new TypeError("No sandbox has this URL.");
      const exchange = {
        method,
        path: pathname,
        query: searchParams,
        headers: Object.fromEntries(new Headers(headers)),
        body: typeof body === "string" ? [new TextEncoder().encode(body)] : [],
      };
      const { body: content, ...message } = messageOf(await run(face, exchange));
      return new Response(content ?? null, message);
    },
  };
}
