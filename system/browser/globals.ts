/** The globals of Node that the code uses, for a browser. The build puts them in place of the names. */

/** Without its static functions, whose types differ. */
const Bytes: new (content: number | ArrayLike<number>) => Uint8Array = Uint8Array;

/** A `Uint8Array` with the few methods of Node's `Buffer` that the code uses. */
class BrowserBuffer extends Bytes {
  static byteLength(text: string): number {
    let length = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) length++;
      else if (unit < 0x800) length += 2;
      else {
        const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
        length += isPair ? 4 : 3;
        if (isPair) at++;
      }
    }
    return length;
  }

  static allocUnsafe(length: number): BrowserBuffer {
    return new BrowserBuffer(length);
  }

  static allocUnsafeSlow(length: number): BrowserBuffer {
    return new BrowserBuffer(length);
  }

  static concat(parts: readonly Uint8Array[]): BrowserBuffer {
    const whole = new BrowserBuffer(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  static from(content: string | ArrayLike<number>, encoding?: string): BrowserBuffer {
    if (typeof content !== "string") return new BrowserBuffer(content);
    if (encoding === "base64") return new BrowserBuffer([...atob(content)].map((each) => each.charCodeAt(0)));
    return new BrowserBuffer(new TextEncoder().encode(content));
  }

  override toString(): string {
    // Node keeps a byte order mark.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this);
  }
}

const browserProcess = {
  platform: "browser",
  arch: "web",
  version: "",
  pid: 0,
  env: {} as Record<string, string | undefined>,
  argv: [] as string[],
  geteuid: () => 0,
  cwd: () => "/",
};

const tasks: (() => void)[] = [];
let wake: ReturnType<typeof openChannel> | undefined;

/** Runs after pending messages, like Node's; a timer would wait for at least 4 ms when nested. */
function afterMessages(task: () => void): void {
  tasks.push(task);
  wake ??= openChannel();
  wake.postMessage(undefined);
}

function openChannel() {
  const { port1, port2 } = new MessageChannel();
  // Node's types don't have the property.
  (port1 as unknown as { onmessage: () => void }).onmessage = () => tasks.shift()?.();
  return port2;
}

export { afterMessages as setImmediate, BrowserBuffer as Buffer, browserProcess as process };
