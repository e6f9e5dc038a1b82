/**
 * The log of the extension, the language server and, at level Trace, the messages between them. Entries may contain
 * text from files and from the platform, so invisible characters are escaped and line breaks can't fake an entry.
 */
import * as vscode from "vscode";
import { visible } from "../text";

export function createLog(name: string): vscode.LogOutputChannel {
  return cleanLog(vscode.window.createOutputChannel(name, { log: true }));
}

export function cleanLog(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const entry =
    (level: "trace" | "debug" | "info" | "warn" | "error") =>
    (message: string | Error, ...more: unknown[]): void =>
      channel[level](clean(textOf(message)), ...more.map((each) => clean(textOf(each))));
  return {
    name: channel.name,
    get logLevel() {
      return channel.logLevel;
    },
    onDidChangeLogLevel: channel.onDidChangeLogLevel,
    trace: entry("trace"),
    debug: entry("debug"),
    info: entry("info"),
    warn: entry("warn"),
    error: entry("error"),
    append: (text) => channel.append(clean(text)),
    appendLine: (text) => channel.appendLine(clean(text)),
    replace: (text) => channel.replace(clean(text)),
    clear: () => channel.clear(),
    show: (...where: readonly unknown[]) => channel.show(where.find((each) => typeof each === "boolean") as boolean),
    hide: () => channel.hide(),
    dispose: () => channel.dispose(),
  };
}

/** Indents all lines after the first, so that only real entries start in the first column. */
function clean(text: string): string {
  return visible(text).trimEnd().replaceAll("\n", "\n    ");
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return value.stack ?? value.message;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Cyclic objects have no JSON.
    return String(value);
  }
}
