/**
 * The connections a person has made. What a connection may be asked for without its key (name and addresses) is in the
 * user's own storage; the key lies in the secret storage in one record together with the addresses it was entered for,
 * and only that record is ever used to make a request. No file of a workspace can therefore pair a key with another
 * address: a workspace can at most name a connection.
 */
import { randomUUID } from "node:crypto";
import { type Connection as PlatformConnection, Secret } from "../../platform";

/** What is known of a connection without its key. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly workflowBaseUrl: string;
  /** Lives as long as this window and is written nowhere: the local sandbox, or what the environment hands over. */
  readonly temporary?: boolean;
}

/** Everything a request needs; the keys in it show themselves to nobody but the transport. */
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

  /** The key with its addresses; undefined when signed out. A damaged record counts as signed out. */
  async secret(id: string): Promise<ConnectionSecret | undefined> {
    const temporary = this.#temporary.get(id);
    if (temporary) return temporary.secret;
    const stored = await this.secrets.get(secretName(id));
    return stored === undefined ? undefined : readSecret(stored);
  }

  async add(name: string, secret: ConnectionSecret): Promise<Connection> {
    const connection = { id: randomUUID(), name, baseUrl: secret.baseUrl, workflowBaseUrl: secret.workflowBaseUrl };
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

  /** Another name, other addresses or another key; takes effect with the next request, everywhere. */
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

  /** Forgets the key and keeps the connection. */
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

  /** The connection this workspace uses: the one chosen here, else the one its settings name, else the only one there is. */
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

  /** Whether this workspace chose the connection, be it there or not. */
  isActive(id: string): boolean {
    return this.workspace.get<string>(ACTIVE) === id;
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Another window changed a key. */
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

/** There is one temporary connection of a name. */
export function temporaryId(name: string): string {
  return `temporary-${name}`;
}

const LIST = "connections";
const ACTIVE = "activeConnection";

function secretName(id: string): string {
  return `connection:${id}`;
}

function writeSecret({ baseUrl, workflowBaseUrl, key, workflowKey }: ConnectionSecret): string {
  return JSON.stringify({ baseUrl, workflowBaseUrl, key: key.reveal(), workflowKey: workflowKey?.reveal() });
}

function readSecret(stored: string): ConnectionSecret | undefined {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null) return undefined;
    const { baseUrl, workflowBaseUrl, key, workflowKey } = value as Record<string, unknown>;
    if (typeof baseUrl !== "string" || typeof workflowBaseUrl !== "string" || typeof key !== "string") return undefined;
    const second = typeof workflowKey === "string" ? { workflowKey: new Secret(workflowKey) } : {};
    return { baseUrl, workflowBaseUrl, key: new Secret(key), ...second };
  } catch {
    return undefined; // JSON.parse quotes its input in the error: nothing of it may be shown or logged.
  }
}
