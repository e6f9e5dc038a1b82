/**
 * Requests in a browser. Those to hosts in `.invalid`, a domain that can never exist (RFC 2606), are answered in this
 * process, and never sent, whether or not there is an answer.
 */
import { type Arriving, arriving } from "../arriving";

type Answering = (url: URL, init: RequestInit) => Promise<Response>;

let answering: Answering | undefined;

/** Sets what answers such requests. */
export function answerInProcess(next: Answering | undefined): void {
  answering = next;
}

function isInProcess({ hostname }: URL): boolean {
  return /(?:^|\.)invalid\.?$/.test(hostname);
}

/** Requests to these URLs are for `fetchOnThisMachine`. */
export function isOnThisMachine(url: URL): boolean {
  return url.protocol === "http:" || isInProcess(url);
}

/** A browser decides itself whether a page may send requests to this machine. */
export async function fetchOnThisMachine(url: URL, init: RequestInit): Promise<Arriving> {
  if (!isInProcess(url)) return arriving(await fetch(url, init));
  init.signal?.throwIfAborted();
  if (!answering) throw Object.assign(new Error("The sandbox isn't running."), { code: "ECONNREFUSED" });
  return arriving(await answering(url, init));
}

/**
 * Why a request failed, which a browser doesn't say: a server that answers without looking at the answer only refuses
 * requests from this site. This request has no key.
 */
export async function whyNoAnswer(url: URL): Promise<"site" | "network" | undefined> {
  if (isInProcess(url)) return "network";
  return fetch(url.origin, { mode: "no-cors", credentials: "omit" }).then(
    () => "site",
    () => "network",
  );
}
