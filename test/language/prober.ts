/** Sends every request to a server about a broken file, and checks each response. */
import assert from "node:assert/strict";
import {
  type CallHierarchyItem,
  type CodeAction,
  type CodeLens,
  type CompletionList,
  type DocumentSymbol,
  LSPErrorCodes,
  type ResponseError,
} from "vscode-languageserver-protocol";
import { Client } from "./client";

/** One response may take this many times as long as all requests for a file or a place usually take together. */
const LIMIT = 50;
/** Requests about a file or a place come in batches of at least this size; follow-up requests are fewer. */
const ALL = 10;
/** Other load can delay one response, but not each of several. */
const TRIES = 8;

type Question = readonly [method: string, params: object];

export class Prober {
  readonly #textDocument = { uri: "file:///robust/broken.flow.yaml" };
  #lines: string[] = [];
  #version = 1;
  #tokens = "";
  readonly #asked = new Set<string>();
  readonly #durations: number[] = [];

  private constructor(private readonly client: Client) {}

  static async start(): Promise<Prober> {
    const client = await Client.start({
      capabilities: {
        textDocument: {
          diagnostic: {},
          hover: { contentFormat: ["markdown"] },
          completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
          documentSymbol: { hierarchicalDocumentSymbolSupport: true },
          codeAction: {
            codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } },
            resolveSupport: { properties: ["edit"] },
          },
        },
      },
    });
    const prober = new Prober(client);
    await client.open(prober.#textDocument.uri, "");
    return prober;
  }

  async stop(): Promise<void> {
    assert.equal(this.client.stderr.join(""), "");
    assert.equal(await this.client.stop(), 0);
  }

  /** Replaces the text of the file, and sends every request that applies to a whole file. */
  async show(text: string): Promise<void> {
    this.#lines = text.split(/\r\n|\n|\r/);
    if (this.#version % 16 === 0) this.#asked.clear();
    await this.client.change(this.#textDocument.uri, ++this.#version, [{ text }]);
    const range = { start: { line: 0, character: 0 }, end: this.#end };
    const options = { tabSize: 2, insertSpaces: true };
    const answers = await this.#ask([
      ["textDocument/diagnostic", {}],
      ["textDocument/documentSymbol", {}],
      ["textDocument/foldingRange", {}],
      ["textDocument/semanticTokens/full", {}],
      ["textDocument/semanticTokens/range", { range }],
      ["textDocument/semanticTokens/full/delta", { previousResultId: this.#tokens }],
      ["textDocument/inlayHint", { range }],
      ["textDocument/codeLens", {}],
      ["textDocument/documentLink", {}],
      ["textDocument/formatting", { options }],
      ["textDocument/rangeFormatting", { range, options }],
      ["workspace/symbol", { query: "a" }],
    ]);
    const tokens = answers[3] as { resultId: string; data: number[] };
    this.#tokens = tokens.resultId;
    this.#checkTokens(tokens.data);
    assert.deepEqual((answers[4] as typeof tokens).data, tokens.data);
    await this.#ask((answers[7] as CodeLens[]).slice(0, 5).map((lens) => ["codeLens/resolve", lens] as const));
  }

  /** Sends requests at offsets of the last line at this distance, and at its end, where a user types. */
  async askOnLastLine(from: number, step: number): Promise<void> {
    const { line, character } = this.#end;
    const places = Array.from({ length: character + 1 }, (_, at) => ({ line, character: at }));
    await this.#askAll(places.filter((_, at) => at % step === from % step || at === character));
  }

  /** Sends requests at offsets at this distance. */
  async askEverywhere(from: number, step: number): Promise<void> {
    const places = this.#lines.flatMap((text, line) =>
      Array.from({ length: text.length + 1 }, (_, character) => ({ line, character })),
    );
    await this.#askAll(places.filter((_, index) => index % step === from % step));
  }

  /** A few at a time, so that the server answers while earlier responses are checked. */
  async #askAll(places: readonly Position[]): Promise<void> {
    for (let at = 0; at < places.length; at += 4)
      await Promise.all(places.slice(at, at + 4).map((place) => this.#askAt(place)));
  }

  async #askAt(position: Position): Promise<void> {
    const { line, character } = position;
    const range = { start: position, end: position };
    const options = { tabSize: 2, insertSpaces: true };
    const answers = await this.#ask([
      ["textDocument/completion", { position }],
      ["textDocument/hover", { position }],
      ["textDocument/definition", { position }],
      ["textDocument/references", { position, context: { includeDeclaration: true } }],
      ["textDocument/documentHighlight", { position }],
      ["textDocument/prepareRename", { position }],
      ["textDocument/rename", { position, newName: "something_new" }],
      ["textDocument/prepareCallHierarchy", { position }],
      ["textDocument/selectionRange", { positions: [position] }],
      ["textDocument/linkedEditingRange", { position }],
      ["textDocument/onTypeFormatting", { position, ch: "\n", options }],
      ["textDocument/codeAction", { range, context: { diagnostics: [] } }],
    ]);
    const [suggested, hovered] = answers as [CompletionList, { range: Range } | null];
    for (const item of suggested.items) {
      const { range: replaced } = item.textEdit as { range: Range };
      const around = replaced.start.line === line && replaced.end.line === line;
      const holds = replaced.start.character <= character && character <= replaced.end.character;
      if (!around || !holds)
        assert.fail(`${item.label} replaces ${JSON.stringify(replaced)} at ${this.#shown(position)}`);
    }
    if (hovered) assert.ok(isBefore(hovered.range.start, position) && isBefore(position, hovered.range.end));
    const further: Question[] = [];
    for (const item of (answers[7] as CallHierarchyItem[] | null) ?? [])
      if (this.#isNew(`calls ${item.name}`))
        further.push(["callHierarchy/incomingCalls", { item }], ["callHierarchy/outgoingCalls", { item }]);
    for (const item of suggested.items)
      if (item.data && this.#isNew(`completion ${item.label}`)) further.push(["completionItem/resolve", item]);
    for (const action of (answers[11] as CodeAction[] | null) ?? [])
      if (action.data && this.#isNew(`action ${action.title}`)) further.push(["codeAction/resolve", action]);
    await this.#ask(further);
  }

  /** Follow-up requests are sent only sometimes: the result hardly changes from one offset or one cut to the next. */
  #isNew(what: string): boolean {
    if (this.#asked.has(what)) return false;
    this.#asked.add(what);
    return true;
  }

  /**
   * Sends several requests at once, and each one alone if that took long, since the limit applies to a single response.
   */
  async #ask(questions: readonly Question[]): Promise<unknown[]> {
    const send = ([method, params]: Question) =>
      this.client.request(method, { textDocument: this.#textDocument, ...params }).catch((error: ResponseError) => {
        // A readable error is a valid response: at most places there is nothing to rename.
        if (error.code === LSPErrorCodes.RequestFailed) return null;
        throw new Error(`${method} ${JSON.stringify(params)}: ${error.message}\n${this.#lines.join("\n")}`);
      });
    const begun = performance.now();
    const answers = await Promise.all(questions.map(send));
    const took = performance.now() - begun;
    if (questions.length >= ALL) this.#durations.push(took);
    const limit = LIMIT * median(this.#durations.slice(-99));
    if (took > limit)
      for (const question of questions) {
        let quickest = Number.POSITIVE_INFINITY;
        for (let tries = 0; tries < TRIES && quickest > limit; tries++) {
          const asked = performance.now();
          await send(question);
          quickest = Math.min(quickest, performance.now() - asked);
        }
        assert.ok(quickest <= limit, `${question[0]}: ${quickest} ms of ${limit} in\n${this.#lines.join("\n")}`);
      }
    for (const [index, question] of questions.entries()) this.#checkAnswer(answers[index], question);
    return answers;
  }

  /**
   * Every position in a response is inside the document, and no string shows an internal value. There are millions of
   * them, so messages are only built when a check fails.
   */
  #checkAnswer(answer: unknown, question: Question): void {
    const fail = (what: unknown) => assert.fail(`${JSON.stringify([what, question])}\n${this.#lines.join("\n")}`);
    if (typeof answer === "string" && /\bundefined\b(?!-variable)|\bNaN\b|\[object/.test(answer)) fail(answer);
    if (typeof answer !== "object" || answer === null) return;
    if ("start" in answer && "end" in answer && typeof answer.start === "object") {
      const { start, end } = answer as Range;
      if (!isBefore(start, end)) fail(answer);
    }
    if ("selectionRange" in answer && "range" in answer) {
      const { range, selectionRange, children } = answer as DocumentSymbol;
      for (const inner of [selectionRange, ...(children ?? []).map((child) => child.range)])
        if (!isBefore(range.start, inner.start) || !isBefore(inner.end, range.end)) fail(answer);
    }
    if ("line" in answer && "character" in answer) {
      const { line, character } = answer as Position;
      const inside = line >= 0 && character >= 0 && character <= (this.#lines[line]?.length ?? -1);
      if (!inside) fail(answer);
    }
    for (const key in answer) if (key !== "data") this.#checkAnswer(answer[key as keyof typeof answer], question);
  }

  #checkTokens(data: readonly number[]): void {
    let line = 0;
    let character = 0;
    for (let at = 0; at < data.length; at += 5) {
      const [down = 0, right = 0, length = 0] = data.slice(at, at + 3);
      character = down === 0 ? character + right : right;
      line += down;
      const isForward = down >= 0 && right >= 0 && length > 0;
      const end = character + length;
      if (!isForward || end > (this.#lines[line]?.length ?? -1))
        assert.fail(`${line}:${character} in ${this.#lines.join("\n")}`);
    }
  }

  get #end(): Position {
    return { line: this.#lines.length - 1, character: (this.#lines.at(-1) as string).length };
  }

  #shown({ line, character }: Position): string {
    const text = this.#lines[line] ?? "";
    return JSON.stringify(`${text.slice(0, character)}$0${text.slice(character)}`);
  }
}

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
