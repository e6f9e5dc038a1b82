/** The values that the protocol server serves: tools, resources and prompts, without the protocol itself. */
import type { Terminal } from "../terminal";

/** What the server offers, in plain values. */
export interface Capabilities {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly CallableTool[];
  readonly resources: {
    list(): Promise<readonly Resource[]>;
    readonly templates: readonly {
      readonly uriTemplate: string;
      readonly name: string;
      readonly description: string;
    }[];
    read(uri: string): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
  };
  readonly prompts: readonly Prompt[];
  /** What an argument of a prompt, or of the template of a resource, may become. */
  complete(
    of: { readonly prompt?: string; readonly template?: string },
    name: string,
    begun: string,
  ): Promise<string[]>;
  /** Gets a way to ask the client which folders it has open. */
  readonly connected?: (client: OpenFolders) => void;
}

/** The folders a client has open. */
export interface OpenFolders {
  /** Their addresses; undefined where the client doesn't tell. Rejects where it says that it does, and gives no list. */
  list(): Promise<readonly string[]> | undefined;
}

/** Told how much of a long call is done. */
export type Advanced = (done: number, total: number, words: string) => void;

export interface CallableTool extends Omit<Tool, "call"> {
  /** The input fits the schema. Never rejects: what goes wrong is words for the agent. */
  call(
    input: unknown,
    advanced?: Advanced,
  ): Promise<{ readonly answer?: Record<string, unknown>; readonly text: string }>;
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  text(given: Readonly<Record<string, string>>): string;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  /** Asks the platform. */
  readonly leavesMachine: boolean;
  readonly changesPlatform: boolean;
  /** Its answer is one text of ours, in the field `page`: it is read as it is. */
  readonly isPage: boolean;
  /** The input fits the schema. */
  call(input: unknown, advanced?: Terminal["advanced"]): Promise<Record<string, unknown>>;
}

/** Where the tools work. */
export interface ToolContext {
  readonly env: Terminal["env"];
  /** Absolute folders; the first one is where relative paths start. */
  roots(): Promise<readonly string[]>;
}
