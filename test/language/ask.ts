/**
 * Sends the requests of a marker case to a language server and returns the results as marks and parts. `#! ask:` lists
 * the requests. Some apply to the cursors (`$0`; with several, results carry the cursor's number), some to the whole
 * file, and `hover` to the places that already have such a mark.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type {
  CallHierarchyItem,
  CodeAction,
  CompletionItem,
  CompletionList,
  DocumentSymbol,
  Location,
  Range,
  SelectionRange,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { applyEdits, FlowDocument, type Span } from "../../flow";
import type { Answer } from "../markers/check";
import type { Mark, MarkerCase } from "../markers/parse";
import { settingsOf } from "../markers/rules";
import type { Client } from "./client";

const installed = pathToFileURL(`${process.cwd()}/`).href;

const folder = "file:///markers/";
let version = 0;

/** `#! file:` is the file name of the case; `#! beside:` lists files of `fixtures` that are open as well. */
export async function answerCase(client: Client, each: MarkerCase, fixtures = ""): Promise<Answer> {
  const uri = folder + (each.options.get("file") ?? "case.flow.yaml");
  const beside = each.options.get("beside")?.split(/,\s*/) ?? [];
  // Only the rules of `#! rules:` run, so that a new rule doesn't change the results of other features.
  const rules = settingsOf(each, "none");
  await client.configure({ assistantFlow: { ...JSON.parse(each.options.get("settings") ?? "{}"), rules } });
  const others = new Map<string, string>();
  for (const name of beside) {
    const text = each.parts.get(name) ?? readFileSync(`${fixtures}/${name}`, "utf8");
    others.set(folder + name, text);
    await client.open(folder + name, text);
  }
  await client.open(uri, each.text, ++version);
  try {
    return await new Asker(client, uri, each, others, version).answer();
  } finally {
    await client.close(uri);
    for (const other of others.keys()) await client.close(other);
  }
}

class Asker {
  readonly #marks: Mark[] = [];
  readonly #parts: Map<string, string>;
  readonly #document: FlowDocument;

  constructor(
    readonly client: Client,
    readonly uri: string,
    readonly each: MarkerCase,
    /** The other open files, by URI. */
    readonly others: ReadonlyMap<string, string>,
    readonly version: number,
  ) {
    this.#document = FlowDocument.read(each.text);
    this.#parts = new Map(each.parts);
  }

  async answer(): Promise<Answer> {
    for (const question of (this.each.options.get("ask") ?? "hover").split(/,\s*/)) {
      const [name = "", ...words] = question.split(" ");
      const whole = this.#whole[name];
      const atCursor = this.#atCursor[name];
      if (whole) await whole();
      else if (atCursor && this.each.options.has("selection"))
        await atCursor(this.each.cursors[0] ?? 0, name, words.join(" "));
      else if (atCursor)
        for (const [index, cursor] of this.each.cursors.entries())
          await atCursor(cursor, this.each.cursors.length > 1 ? `${name}${index + 1}` : name, words.join(" "));
      else throw new Error(`A marker case asks "${name}", which no test knows.`);
    }
    return { marks: this.#marks, parts: this.#parts };
  }

  readonly #whole: Record<string, () => Promise<void>> = {
    problems: async () => {
      for (const { range, code, message } of await this.client.diagnostics(this.uri, this.version))
        this.#mark(range, String(code), String(message));
    },
    hover: async () => {
      for (const mark of this.each.marks.filter(({ label }) => label === "hover")) {
        const found = await this.#ask<{ contents: { value: string }; range: Range } | null>(
          "hover",
          this.#at(mark.span.start),
        );
        if (found) this.#mark(found.range, "hover", found.contents.value.replaceAll(installed, "installed:/"));
        else this.#add(mark.span, "hover", "nothing");
      }
    },
    symbols: async () => {
      const show = (symbol: DocumentSymbol, depth: number) => {
        this.#mark(
          symbol.selectionRange,
          "symbol",
          `${"> ".repeat(depth)}${symbol.name} | ${symbol.detail ?? ""}`.trim(),
        );
        for (const child of symbol.children ?? []) show(child, depth + 1);
      };
      for (const symbol of await this.#ask<DocumentSymbol[]>("documentSymbol", {})) show(symbol, 0);
    },
    extents: async () => {
      const show = (symbol: DocumentSymbol) => {
        this.#mark(symbol.range, "extent", symbol.name);
        symbol.children?.forEach(show);
      };
      (await this.#ask<DocumentSymbol[]>("documentSymbol", {})).forEach(show);
    },
    tokens: async () => {
      const { legend } = this.client.server.capabilities.semanticTokensProvider ?? { legend: undefined };
      const { data } = await this.#ask<{ data: number[] }>("semanticTokens/full", {});
      let line = 0;
      let character = 0;
      for (let at = 0; at < data.length; at += 5) {
        const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
        character = down === 0 ? character + right : right;
        line += down;
        const modifier = modifiers === 0 ? "" : ` ${legend?.tokenModifiers[Math.log2(modifiers)]}`;
        const range = { start: { line, character }, end: { line, character: character + length } };
        this.#mark(range, "token", `${legend?.tokenTypes[type]}${modifier}`);
      }
    },
    hints: async () => {
      const end = this.#document.positionAt(this.#document.length);
      const hints = await this.#ask<{ position: Range["start"]; label: string }[]>("inlayHint", {
        range: { start: { line: 0, character: 0 }, end },
      });
      for (const { position, label } of hints) this.#mark({ start: position, end: position }, "hint", label);
    },
    lenses: async () => {
      for (const lens of await this.#ask<{ range: Range }[]>("codeLens", {})) {
        const { command } = await this.client.request<{ command: { title: string; command: string } }>(
          "codeLens/resolve",
          lens,
        );
        this.#mark(lens.range, "lens", command.command ? `${command.title} (${command.command})` : command.title);
      }
    },
    format: async () => {
      const options = { tabSize: 2, insertSpaces: true };
      const edits = await this.#ask<TextEdit[]>("formatting", { options });
      this.#parts.set("format", this.#edited(edits));
    },
    "fix-all": async () => {
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
      const context = { diagnostics: [], only: ["source.fixAll"] };
      const [action] = (await this.#ask<CodeAction[] | null>("codeAction", { range, context })) ?? [];
      if (!action) return this.#nothing(0, "fix-all");
      const { edit } = await this.client.request<{ edit?: WorkspaceEdit }>("codeAction/resolve", action);
      this.#parts.set("fix-all", this.#edited(editsOf(edit)));
    },
    folds: async () => {
      const folds = await this.#ask<{ startLine: number; endLine: number; kind?: string }[]>("foldingRange", {});
      for (const { startLine, endLine, kind } of folds) {
        const start = { line: startLine, character: 0 };
        this.#mark({ start, end: start }, "fold", `${endLine - startLine} lines${kind ? ` (${kind})` : ""}`);
      }
    },
    links: async () => {
      for (const { range, target } of await this.#ask<{ range: Range; target: string }[]>("documentLink", {}))
        this.#mark(range, "link", target);
    },
  };

  readonly #atCursor: Record<string, (cursor: number, label: string, words: string) => Promise<void>> = {
    definition: async (cursor, label) => this.#locations(await this.#ask("definition", this.#at(cursor)), label),
    references: async (cursor, label) =>
      this.#locations(
        await this.#ask("references", { ...this.#at(cursor), context: { includeDeclaration: true } }),
        label,
      ),
    uses: async (cursor, label) =>
      this.#locations(
        await this.#ask("references", { ...this.#at(cursor), context: { includeDeclaration: false } }),
        label,
      ),
    highlight: async (cursor, label) => {
      const found = await this.#ask<{ range: Range; kind: number }[] | null>("documentHighlight", this.#at(cursor));
      if (!found) this.#nothing(cursor, label);
      for (const { range, kind } of found ?? []) this.#mark(range, label, kind === 3 ? "write" : "read");
    },
    nameable: async (cursor, label) => {
      const found = await this.#ask<{ range: Range; placeholder: string } | null>("prepareRename", this.#at(cursor));
      if (found) this.#mark(found.range, label, found.placeholder);
      else this.#nothing(cursor, label);
    },
    rename: async (cursor, label, newName) => {
      try {
        const edit = await this.#ask<WorkspaceEdit>("rename", { ...this.#at(cursor), newName });
        this.#parts.set(label, this.#edited((edit.changes?.[this.uri] ?? []) as TextEdit[]));
        for (const [uri, edits] of Object.entries(edit.changes ?? {}))
          if (uri !== this.uri)
            this.#parts.set(`${label} in ${nameOf(uri)}`, editedIn(this.others.get(uri) ?? "", edits));
      } catch (error) {
        this.#add({ start: cursor, end: cursor }, label, (error as Error).message);
      }
    },
    complete: async (cursor, label) => {
      const list = await this.#ask<CompletionList>("completion", this.#at(cursor));
      const first = list.items[0];
      if (!first) return this.#nothing(cursor, label);
      this.#mark(rangeOf(first), label, list.items.map((item) => item.label).join(", "));
    },
    /** The completions, one by one, with their details and the inserted text. */
    suggest: async (cursor, label) => {
      const list = await this.#ask<CompletionList>("completion", this.#at(cursor));
      if (list.items.length === 0) this.#nothing(cursor, label);
      for (const item of list.items) {
        const text = (item.textEdit as TextEdit).newText;
        this.#mark(rangeOf(item), label, `${[item.label, item.detail].filter(Boolean).join(" | ")} => ${text}`);
      }
    },
    resolve: async (cursor, label, words) => {
      const list = await this.#ask<CompletionList>("completion", this.#at(cursor));
      const item = list.items.find((candidate) => candidate.label === words);
      if (!item) return this.#nothing(cursor, label);
      const resolved = await this.client.request<CompletionItem>("completionItem/resolve", item);
      this.#mark(rangeOf(item), label, (resolved.documentation as { value: string } | undefined)?.value ?? "nothing");
    },
    /** The text after a completion is accepted, with its tab stops, indented as in an editor. */
    take: async (cursor, label, words) => {
      const list = await this.#ask<CompletionList>("completion", this.#at(cursor));
      const item = list.items.find((candidate) => candidate.label === words);
      if (!item) return this.#nothing(cursor, label);
      const start = this.#document.offsetAt(rangeOf(item).start);
      const lineStart = this.each.text.lastIndexOf("\n", start - 1) + 1;
      const indent = /^ */.exec(this.each.text.slice(lineStart, start))?.[0] ?? "";
      const { newText } = item.textEdit as TextEdit;
      this.#parts.set(
        label,
        this.#edited([{ range: rangeOf(item), newText: newText.replaceAll("\n", `\n${indent}`) }]),
      );
    },
    /** The titles of the actions at the cursor, or between two cursors. */
    actions: async (cursor, label, words) => {
      const actions = await this.#actions(cursor, words);
      if (actions.length === 0) this.#nothing(cursor, label);
      for (const { title, kind } of actions) this.#add(this.#selected(cursor), label, `${kind}: ${title}`);
    },
    /** The text after the action whose title starts with the given text. */
    act: async (cursor, label, words) => {
      const action = (await this.#actions(cursor, "")).find(({ title }) => title.startsWith(words));
      if (!action) return this.#nothing(cursor, label);
      const { edit } = await this.client.request<{ edit?: WorkspaceEdit }>("codeAction/resolve", action);
      this.#parts.set(label, this.#edited(editsOf(edit ?? action.edit)));
    },
    /** The steps of an expanding selection. */
    select: async (cursor, label) => {
      const [first] = await this.#ask<SelectionRange[]>("selectionRange", {
        positions: [this.#document.positionAt(cursor)],
      });
      let step = 1;
      for (let range = first; range; range = range.parent) this.#mark(range.range, label, String(step++));
    },
    linked: async (cursor, label) => {
      const found = await this.#ask<{ ranges: Range[] } | null>("linkedEditingRange", this.#at(cursor));
      if (!found) this.#nothing(cursor, label);
      for (const range of found?.ranges ?? []) this.#mark(range, label, "");
    },
    /** The text after typing the bracket or dash before the cursor, or Enter. */
    typed: async (cursor, label) => {
      const options = { tabSize: 2, insertSpaces: true };
      const edits = await this.#ask<TextEdit[]>("onTypeFormatting", {
        ...this.#at(cursor),
        ch: /[}\]-]/.exec(this.each.text[cursor - 1] ?? "")?.[0] ?? "\n",
        options,
      });
      this.#parts.set(label, this.#edited(edits));
    },
    range: async (cursor, label) => {
      const options = { tabSize: 2, insertSpaces: true };
      const position = this.#document.positionAt(cursor);
      const range = { start: position, end: position };
      this.#parts.set(label, this.#edited(await this.#ask<TextEdit[]>("rangeFormatting", { range, options })));
    },
    incoming: (cursor, label) => this.#calls(cursor, label, "incomingCalls", "from"),
    outgoing: (cursor, label) => this.#calls(cursor, label, "outgoingCalls", "to"),
  };

  /** The range of a code action request: two cursors are one selection, requested once, from the first cursor. */
  #selected(cursor: number): Span {
    const [first = cursor, last = cursor] = this.each.options.has("selection") ? this.each.cursors : [cursor, cursor];
    return { start: first, end: last };
  }

  async #actions(cursor: number, only: string): Promise<CodeAction[]> {
    const span = this.#selected(cursor);
    const range = { start: this.#document.positionAt(span.start), end: this.#document.positionAt(span.end) };
    const context = { diagnostics: [], ...(only === "" ? {} : { only: only.split(" ") }) };
    return (await this.#ask<CodeAction[] | null>("codeAction", { range, context })) ?? [];
  }

  async #calls(cursor: number, label: string, method: string, end: "from" | "to"): Promise<void> {
    const items = await this.#ask<CallHierarchyItem[] | null>("prepareCallHierarchy", this.#at(cursor));
    if (!items?.[0]) return this.#nothing(cursor, label);
    const calls = await this.client.request<Record<string, CallHierarchyItem & Range[]>[]>(`callHierarchy/${method}`, {
      item: items[0],
    });
    for (const call of calls)
      for (const range of call.fromRanges as unknown as Range[])
        this.#mark(range, label, `${call[end]?.name} (${call[end]?.detail})`);
    if (calls.length === 0) this.#mark(items[0].selectionRange, label, "none");
  }

  #locations(found: Location[] | null, label: string): void {
    if (!found || found.length === 0) {
      const cursor = this.each.cursors[Number(/\d+$/.exec(label)?.[0] ?? 1) - 1] as number;
      this.#nothing(cursor, label);
    }
    for (const { uri, range } of found ?? []) {
      const other = this.others.get(uri);
      if (uri === this.uri || other === undefined) this.#mark(range, label, uri === this.uri ? "" : uri);
      // A location in another file is shown by its line and text.
      else {
        const cursor = this.each.cursors[Number(/\d+$/.exec(label)?.[0] ?? 1) - 1] ?? 0;
        const document = FlowDocument.read(other);
        const span = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
        const words = document.slice(span).replace(/\s+/g, " ").slice(0, 60);
        this.#add({ start: cursor, end: cursor }, label, `${nameOf(uri)}:${range.start.line + 1} ${words}`.trim());
      }
    }
  }

  #ask<Result>(method: string, params: object): Promise<Result> {
    return this.client.request(
      method.includes("/") || !method.startsWith("callHierarchy") ? `textDocument/${method}` : method,
      {
        textDocument: { uri: this.uri },
        ...params,
      },
    );
  }

  #at(offset: number): { position: Range["start"] } {
    return { position: this.#document.positionAt(offset) };
  }

  #mark(range: Range, label: string, text: string): void {
    const span = { start: this.#document.offsetAt(range.start), end: this.#document.offsetAt(range.end) };
    this.#add(span, label, text);
  }

  #add(span: Span, label: string, text: string): void {
    this.#marks.push({ span, label, text });
  }

  #nothing(cursor: number, label: string): void {
    // Otherwise a case whose action has another title now would keep its expected text.
    this.#parts.delete(label);
    this.#add({ start: cursor, end: cursor }, label, "nothing");
  }

  #edited(edits: readonly TextEdit[]): string {
    const converted = edits.map(({ range, newText }) => ({
      start: this.#document.offsetAt(range.start),
      end: this.#document.offsetAt(range.end),
      text: newText,
    }));
    return applyEdits(this.each.text, converted);
  }
}

function nameOf(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1);
}

function editedIn(text: string, edits: readonly TextEdit[]): string {
  const document = FlowDocument.read(text);
  const at = (range: Range) => ({ start: document.offsetAt(range.start), end: document.offsetAt(range.end) });
  return applyEdits(
    text,
    edits.map(({ range, newText }) => ({ ...at(range), text: newText })),
  );
}

function editsOf(edit: WorkspaceEdit | undefined): TextEdit[] {
  const documents = (edit?.documentChanges ?? []) as { edits: TextEdit[] }[];
  return [...Object.values(edit?.changes ?? {}).flat(), ...documents.flatMap((each) => each.edits)];
}

function rangeOf(item: CompletionItem): Range {
  return (item.textEdit as TextEdit).range;
}
