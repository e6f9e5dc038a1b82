/**
 * API keys: created, shown once, and verified by a salted hash. A key is `afk_` and 43 random characters; its first 12
 * characters are the prefix by which its record is found.
 */
import { type ApiKey, type CreateApiKeyRequest, type CreatedApiKey, type Endpoint, endpoints } from "../platform";
import { isSameSecret, randomBase64, randomHex, randomUuid, sha256 } from "../system";
import type { Clock } from "./clock";
import { refuse } from "./http/answer";
import type { KeyRecord } from "./storage/records";
import type { Store } from "./storage/store";

/** All scopes of the endpoints; a key that is created without `scopes` gets all of them. */
const ALL_SCOPES: readonly string[] = [
  ...new Set(Object.values<Endpoint>(endpoints).flatMap((endpoint) => (endpoint.scope ? [endpoint.scope] : []))),
].sort();

const PREFIX_LENGTH = 12;
const KEY_SHAPE = /^afk_[A-Za-z0-9_-]{43}$/;
/** How old the stored time of a key's last use may be, so that reads don't write to disk. */
const LAST_USE_PRECISION = 60_000;

export class Keys {
  readonly #lastUse = new Map<string, number>();
  readonly #byPrefix = new Map<string, string>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    for (const key of store.all("keys")) this.#byPrefix.set(key.key_prefix, key.id);
  }

  /** Checks what the schema can't express. */
  checked(request: CreateApiKeyRequest): CreateApiKeyRequest {
    const bad = (message: string) => refuse(400, "bad_request", message, { retryable: false });
    if (request.name.trim() === "") throw bad("`name` must not be empty.");
    for (const scope of request.scopes ?? [])
      if (!/^[a-z][a-z0-9_-]*:[a-z][a-z0-9_-]*$/.test(scope))
        throw bad("A scope has the form <resource>:<action>, such as agents:read.");
    return request;
  }

  create(request: {
    readonly name: string;
    readonly scopes?: readonly string[] | undefined;
    readonly expires_at?: string | undefined;
  }): CreatedApiKey {
    const plain = `afk_${randomBase64(32)}`;
    const salt = randomHex(16);
    const record: KeyRecord = {
      id: randomUuid(),
      name: request.name,
      key_prefix: plain.slice(0, PREFIX_LENGTH),
      salt,
      hash: hashOf(salt, plain),
      scopes: request.scopes ?? ALL_SCOPES,
      expires_at: request.expires_at === undefined ? null : utc(request.expires_at),
      created_at: this.clock.iso(),
      revoked_at: null,
      last_used_at: null,
    };
    // Two keys share a prefix with a probability of 2^-48; then another key is generated.
    if (this.#byPrefix.has(record.key_prefix)) return this.create(request);
    this.#byPrefix.set(record.key_prefix, record.id);
    this.store.commit([{ put: "keys", id: record.id, value: record }]);
    return { ...this.#shown(record), plain_text_key: plain };
  }

  list(): ApiKey[] {
    return [...this.store.all("keys")].filter((key) => this.#isActive(key)).map((key) => this.#shown(key));
  }

  revoke(id: string): void {
    const key = this.store.get("keys", id);
    if (!key || key.revoked_at !== null) throw refuse(404, "not_found", "No active API key has this ID.");
    this.store.commit([{ put: "keys", id, value: { ...key, revoked_at: this.clock.iso() } }]);
  }

  /** Whether a key from an earlier start is still valid with all permissions. */
  isFull(plain: string | undefined): plain is string {
    const key = plain === undefined ? undefined : this.#find(plain);
    return key !== undefined && this.#isActive(key) && ALL_SCOPES.every((scope) => key.scopes.includes(scope));
  }

  /** Returns the key of a request, or throws a 401. */
  authenticate(header: string | string[] | undefined): KeyRecord {
    const key = typeof header === "string" && KEY_SHAPE.test(header) ? this.#find(header) : undefined;
    if (!key || !this.#isActive(key))
      throw refuse(401, "authentication_required", "Send a valid API key in the x-api-key header.", {
        retryable: false,
      });
    this.#remember(key);
    return key;
  }

  #find(plain: string): KeyRecord | undefined {
    const key = this.store.get("keys", this.#byPrefix.get(plain.slice(0, PREFIX_LENGTH)) ?? "");
    const matches = key && isSameSecret(hashOf(key.salt, plain), key.hash);
    return matches ? key : undefined;
  }

  #isActive(key: KeyRecord): boolean {
    return key.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > this.clock.now());
  }

  #remember(key: KeyRecord): void {
    const now = this.clock.now();
    this.#lastUse.set(key.id, now);
    if (key.last_used_at === null || now - Date.parse(key.last_used_at) >= LAST_USE_PRECISION)
      this.store.commit([{ put: "keys", id: key.id, value: { ...key, last_used_at: new Date(now).toISOString() } }]);
  }

  #shown(key: KeyRecord): ApiKey {
    const used = this.#lastUse.get(key.id);
    return {
      id: key.id,
      name: key.name,
      key_prefix: key.key_prefix,
      scopes: [...key.scopes],
      is_active: this.#isActive(key),
      last_used_at: used === undefined ? key.last_used_at : new Date(used).toISOString(),
      expires_at: key.expires_at,
      created_at: key.created_at,
    };
  }
}

function hashOf(salt: string, plain: string): string {
  return sha256(salt + plain);
}

/** A date-time without an offset is UTC. */
function utc(datetime: string): string {
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(datetime) ? datetime : `${datetime}Z`).toISOString();
}
