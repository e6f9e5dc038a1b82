/**
 * Stores the user's connections. Names and addresses are in the global state. The key is in the secret storage, in one
 * record with the addresses it was entered for, and requests use only that record. So no workspace file can pair a key
 * with another address; it can only name a connection.
 */

import { parsedJson } from "../../flow/json";
import { type Connection as PlatformConnection, Secret } from "../../platform";
import { randomUuid } from "../../system";

/** A connection without its key. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly workflowBaseUrl: string;
  /** Exists only in this window and isn't saved: the local sandbox, or a connection from the environment. */
  readonly temporary?: boolean;
}

/** Everything a request needs. Only the transport can read the keys. */
export type ConnectionSecret = PlatformConnection & { readonly workflowBaseUrl: string };

export interface Storage {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

export interface Secrets {
  get(key: string): Thenable<string | undefined>;
  store(key: string, value: string): Thenable<void>;
  delete(key: string): Thenable<void>;
}

export class ConnectionStore {
  readonly #temporary = new Map<string, { connection: Connection; secret: ConnectionSecret }>();
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly user: Storage,
    private readonly workspace: Storage,
    private readonly secrets: Secrets,
  ) {}

  list(): readonly Connection[] {
    return [...[...this.#temporary.values()].map(({ connection }) => connection), ...this.#saved()];
  }

  get(id: string): Connection | undefined {
    return this.list().find((connection) => connection.id === id);
  }

  byName(name: string): Connection | undefined {
    return this.list().find((connection) => connection.name === name);
  }

  /** Returns the key with its addresses; undefined if signed out. A damaged record counts as signed out. */
  async secret(id: string): Promise<ConnectionSecret | undefined> {
    const temporary = this.#temporary.get(id);
    if (temporary) return temporary.secret;
    const stored = await this.secrets.get(secretName(id));
    return stored === undefined ? undefined : readSecret(stored);
  }

  async add(name: string, secret: ConnectionSecret): Promise<Connection> {
    const connection = { id: randomUuid(), name, baseUrl: secret.baseUrl, workflowBaseUrl: secret.workflowBaseUrl };
    await this.secrets.store(secretName(connection.id), writeSecret(secret));
    await this.user.update(LIST, [...this.#saved(), connection]);
    this.#changed();
    return connection;
  }

  addTemporary(name: string, secret: ConnectionSecret): Connection {
    const { baseUrl, workflowBaseUrl } = secret;
    const connection = { id: temporaryId(name), name, baseUrl, workflowBaseUrl, temporary: true };
    this.#temporary.set(connection.id, { connection, secret });
    this.#changed();
    return connection;
  }

  /** Changes the name, addresses, or key. The next request uses them. */
  async change(id: string, name: string, secret: ConnectionSecret): Promise<void> {
    const { baseUrl, workflowBaseUrl } = secret;
    const connection = { id, name, baseUrl, workflowBaseUrl };
    if (this.#temporary.has(id)) this.#temporary.set(id, { connection: { ...connection, temporary: true }, secret });
    else {
      await this.secrets.store(secretName(id), writeSecret(secret));
      await this.user.update(
        LIST,
        this.#saved().map((one) => (one.id === id ? connection : one)),
      );
    }
    this.#changed();
  }

  /** Deletes the key but keeps the connection. */
  async signOut(id: string): Promise<void> {
    await this.secrets.delete(secretName(id));
    this.#changed();
  }

  async remove(id: string): Promise<void> {
    if (!this.#temporary.delete(id)) {
      await this.secrets.delete(secretName(id));
      await this.user.update(
        LIST,
        this.#saved().filter((one) => one.id !== id),
      );
    }
    this.#changed();
  }

  /** The connection of this workspace: the one chosen here, else the one in its settings, else the only one. */
  active(named: string | undefined): Connection | undefined {
    const chosen = this.workspace.get<string>(ACTIVE);
    const list = this.list();
    return (
      list.find((connection) => connection.id === chosen) ??
      (named ? list.find((connection) => connection.name === named) : undefined) ??
      list.find((connection) => connection.temporary) ??
      (list.length === 1 ? list[0] : undefined)
    );
  }

  async activate(id: string | undefined): Promise<void> {
    await this.workspace.update(ACTIVE, id);
    this.#changed();
  }

  /** Whether this workspace chose the connection, even if it doesn't exist now. */
  isActive(id: string): boolean {
    return this.workspace.get<string>(ACTIVE) === id;
  }

  /** The environment that was chosen in this workspace. */
  get environment(): string | undefined {
    return this.workspace.get<string>(ENVIRONMENT);
  }

  /** Chooses an environment, and the connection with its URL, if there is one. */
  async chooseEnvironment(name: string, url: string | undefined): Promise<void> {
    const connection = url === undefined ? undefined : this.byUrl(url);
    await this.workspace.update(ENVIRONMENT, name);
    if (connection) await this.workspace.update(ACTIVE, connection.id);
    this.#changed();
  }

  /** A connection with this URL, preferably the chosen one. */
  byUrl(url: string): Connection | undefined {
    const same = this.list().filter(({ baseUrl }) => isSameUrl(baseUrl, url));
    return same.find(({ id }) => this.isActive(id)) ?? same[0];
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Called when another window changed a key. */
  secretsChanged(): void {
    this.#changed();
  }

  #saved(): readonly Connection[] {
    return this.user.get<Connection[]>(LIST) ?? [];
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Temporary connections are identified by name. */
export function temporaryId(name: string): string {
  return `temporary-${name}`;
}

const LIST = "connections";
const ACTIVE = "activeConnection";
const ENVIRONMENT = "environment";

function isSameUrl(one: string, other: string): boolean {
  const normalized = (url: string) => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, "") : url);
  return normalized(one) === normalized(other);
}

function secretName(id: string): string {
  return `connection:${id}`;
}

function writeSecret({ baseUrl, workflowBaseUrl, key, workflowKey }: ConnectionSecret): string {
  return JSON.stringify({ baseUrl, workflowBaseUrl, key: key.reveal(), workflowKey: workflowKey?.reveal() });
}

function readSecret(stored: string): ConnectionSecret | undefined {
  const value = parsedJson(stored);
  if (typeof value !== "object" || value === null) return undefined;
  const { baseUrl, workflowBaseUrl, key, workflowKey } = value as Record<string, unknown>;
  if (typeof baseUrl !== "string" || typeof workflowBaseUrl !== "string" || typeof key !== "string") return undefined;
  const second = typeof workflowKey === "string" ? { workflowKey: new Secret(workflowKey) } : {};
  return { baseUrl, workflowBaseUrl, key: new Secret(key), ...second };
}
