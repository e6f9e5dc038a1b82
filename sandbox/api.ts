/**
 * Dispatches a request: checks the route, the key, its scope, the body and the contract, then runs the handler. Routes,
 * scopes, checks and success statuses come from the contract's endpoint table.
 */
import {
  type AddressFamily,
  type BodyOf,
  checkRequest,
  type Endpoint,
  type EndpointName,
  endpoints,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from "../platform";
import { type Answer, Refusal, refuse } from "./http/answer";
import { readJson } from "./http/body";
import type { Exchange } from "./http/exchange";
import type { Keys } from "./keys";
import type { KeyRecord } from "./storage/records";

export interface Asked<N extends EndpointName> {
  readonly params: ParamsOf<N>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly key: KeyRecord;
}

/** A handler returns nothing if its endpoint has no response body. */
export type Handlers = {
  readonly [N in EndpointName]: (asked: Asked<N>) => ResponseOf<N> extends undefined ? void : ResponseOf<N>;
};

/** Handles the requests of one URL. `without` lists endpoints that this sandbox pretends not to have. */
export function apiFor(options: {
  readonly family: AddressFamily;
  readonly keys: Keys;
  readonly handlers: Handlers;
  readonly without: ReadonlySet<EndpointName>;
}): (exchange: Exchange) => Promise<Answer> {
  const routes = Object.entries<Endpoint>(endpoints).flatMap(([key, endpoint]) => {
    const name = key as EndpointName;
    if (endpoint.family !== options.family || options.without.has(name)) return [];
    return [{ name, endpoint, segments: endpoint.path.split("/") }];
  });
  return async ({ method, path, query, headers, body: sent }) => {
    const found = routes.filter((route) => segmentsIn(route, path) !== undefined);
    const route = found.find((each) => each.endpoint.method === method);
    if (!route) {
      if (found.length === 0) throw refuse(404, "not_found", `${path} doesn't exist.`);
      const allow = found.map((each) => each.endpoint.method).join(", ");
      throw refuse(405, "method_not_allowed", `Use ${allow} for ${path}.`, { headers: { allow } });
    }
    const { name, endpoint } = route;
    const key = options.keys.authenticate(headers["x-api-key"]);
    if (endpoint.scope !== undefined && !key.scopes.includes(endpoint.scope))
      throw refuse(403, "insufficient_scope", `This key doesn't have the scope ${endpoint.scope}.`, {
        retryable: false,
      });
    const body = endpoint.body ? await readJson({ headers, body: sent }) : undefined;
    const checked = checkRequest(name, { query, body });
    if (!checked.ok) throw new Refusal({ status: checked.status, json: checked.body });
    const handle = options.handlers[name] as (asked: Asked<EndpointName>) => unknown;
    const json = handle({
      params: paramsIn(route, path) as never,
      query: checked.query,
      // The original body: fields that the contract doesn't know are kept.
      body: (body ?? checked.body) as never,
      key,
    });
    return { status: endpoint.status, ...(json === undefined ? {} : { json }) };
  };
}

interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Those in braces are parameters. */
  readonly segments: readonly string[];
}

/** The path's segments if the path belongs to this route. */
function segmentsIn(route: Route, path: string): string[] | undefined {
  const given = path.split("/");
  const isParameter = (segment: string) => segment.startsWith("{");
  const fits = route.segments.every((segment, i) => (isParameter(segment) ? given[i] : given[i] === segment));
  return fits && given.length === route.segments.length ? given : undefined;
}

function paramsIn(route: Route, path: string): Record<string, string> {
  const given = segmentsIn(route, path) ?? [];
  return Object.fromEntries(
    route.segments.flatMap((segment, i) => {
      if (!segment.startsWith("{")) return [];
      try {
        return [[segment.slice(1, -1), decodeURIComponent(given[i] ?? "")]];
      } catch {
        throw refuse(404, "not_found", `${path} doesn't exist.`);
      }
    }),
  );
}
