/**
 * Runs a command for VS Code, which has the keys: it starts this program with an IPC channel, makes its requests, and asks
 * the user to confirm a promotion. No key is ever sent to this process.
 */
import {
  type HostMessage,
  type HostQuestion,
  type HostReply,
  type SendAnswer,
  type Transport,
  TransportError,
  transportBy,
} from "../../platform";

export function isHosted(): boolean {
  return process.env.ASSISTANT_FLOW_HOSTED === "1" && process.connected === true;
}

export function hostTransport(address: string): Transport {
  return transportBy((request, { timeoutMs }) => ask<SendAnswer>({ kind: "send", address, request, timeoutMs }));
}

/** Shows the plan to the user and waits for the decision. */
export async function confirmedByHost(text: string, operations: number): Promise<boolean> {
  return (await ask<boolean>({ kind: "confirm", text, operations })) === true;
}

const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
let last = 0;

function ask<Answer extends HostReply["answer"]>(question: HostQuestion): Promise<Answer> {
  if (last === 0) listen();
  const id = ++last;
  // The process ends by itself when it waits for nothing.
  process.channel?.ref();
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: (answer) => resolve(answer as Answer), reject });
    process.send?.({ id, question } satisfies HostMessage);
  });
}

function listen(): void {
  process.on("message", ({ id, answer }: HostReply) => {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
    if (waiting.size === 0) process.channel?.unref();
  });
  process.once("disconnect", () => {
    const gone = new TransportError("reset", "The editor ended.");
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
  });
}
