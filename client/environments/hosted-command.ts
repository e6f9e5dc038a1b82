/**
 * Runs a command of the bundled command line. It gets no key: its requests are made here, with the connections of this
 * window, and a promotion is confirmed here.
 */
import { reasonOf } from "../../files";
import { answerBy, type HostMessage, type HostReply } from "../../platform";
import { type ChildProcess, type Readable, spawn } from "../../system";
import type { Session } from "../connections";

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface HostedOptions {
  readonly confirm?: (text: string, operations: number) => Promise<boolean>;
  /** Stops the program. For commands that only read. */
  readonly signal?: AbortSignal;
}

/** Rejects if the program can't be started. */
export function runHosted(
  cli: string,
  args: readonly string[],
  cwd: string,
  session: Session,
  { confirm = async () => false, signal }: HostedOptions = {},
): Promise<CommandResult> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^ASSISTANT_FLOW_(API_KEY|BASE_URL)/.test(name));
  const child: ChildProcess = spawn(process.execPath, [cli, ...args], {
    cwd,
    // In desktop VS Code the extension host is Electron; ELECTRON_RUN_AS_NODE makes it behave like Node.
    env: { ...Object.fromEntries(inherited), ELECTRON_RUN_AS_NODE: "1", NO_COLOR: "1", ASSISTANT_FLOW_HOSTED: "1" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  signal?.addEventListener("abort", () => child.kill());
  const reply = (id: number, answer: HostReply["answer"]) => {
    if (child.connected) child.send({ id, answer });
  };
  child.on("message", ({ id, question }: HostMessage) => {
    const answer = (): Promise<HostReply["answer"]> => {
      if (question.kind === "confirm") return confirm(question.text, question.operations);
      const { address, request, timeoutMs } = question;
      // Only to the URL of a stored connection, with the key that was entered for it.
      const url = session.store.byUrl(address)?.baseUrl ?? address;
      return answerBy(session.transportToAny(url), request, { timeoutMs });
    };
    answer().then(
      (value) => reply(id, value),
      (error: unknown) => reply(id, { failure: "reset", message: reasonOf(error) }),
    );
  });
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // All output has arrived.
    child.once("close", (code) => resolve({ code: code ?? 1, out: out(), err: err() }));
  });
}

function textOf(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
