/** The values that the protocol server serves: tools, resources and prompts, without the protocol itself. */
import type { Terminal } from "../terminal";

/** What the server provides. */
export interface Capabilities {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Calls a tool with a valid input. Never rejects: errors are returned as text for the agent. */
  call(
    tool: Tool,
    input: unknown,
    onProgress?: OnProgress,
  ): Promise<{ readonly answer?: Record<string, unknown>; readonly text: string }>;
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
  /** Completes an argument of a prompt or a resource template. */
  complete(
    of: { readonly prompt?: string; readonly template?: string },
    name: string,
    begun: string,
  ): Promise<string[]>;
  /** Called with access to the client's open folders. */
  readonly connected?: (client: OpenFolders) => void;
}

export interface OpenFolders {
  /** Their URIs; undefined if the client doesn't support roots. Rejects if it does but returns no list. */
  list(): Promise<readonly string[]> | undefined;
}

/** Reports the progress of a long call. */
export type OnProgress = NonNullable<Terminal["onProgress"]>;

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
  /** Whether it sends requests to the platform. */
  readonly leavesMachine: boolean;
  readonly changesPlatform: boolean;
  /** Whether it returns a single page of ours in the field `page`. */
  readonly isPage: boolean;
  /** The input is valid. */
  call(input: unknown, onProgress?: OnProgress): Promise<Record<string, unknown>>;
}

/** The environment of the tools. */
export interface ToolContext {
  readonly env: Terminal["env"];
  /** Absolute paths; relative paths start at the first one. */
  roots(): Promise<readonly string[]>;
}
