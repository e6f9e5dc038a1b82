/** Saves in an editor with our client: the real server over stdio, the real sandbox, and a simulated client. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { CodeAction, CodeLens, Diagnostic } from "vscode-languageserver-protocol";
import { type HttpResponse, TransportError } from "../../../platform";
import { type Sandbox, startSandbox } from "../../../sandbox";
import type { SeenVersions } from "../../../server/environment-messages";
import type { PlanView } from "../../../server/messages";
import { Editor, ofPlatform } from "../../language/editor";

const FILE = "support.flow.yaml";
const assistant = "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101";
const revision = "a84e2d17-6c0b-4f93-8e25-1b9d4c6f0102";

/** Findings that repeat our rules are hidden, so rules are off to show all findings. */
const quiet = Object.fromEntries(
  "duplicate-edge unreachable-node missing-default undefined-variable unused-variable tool-without-error-edge"
    .split(" ")
    .map((code) => [code, "off"]),
);

async function story(
  settings: object,
  body: (editor: Editor, text: string, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, settings);
  try {
    const text = await readFile("examples/support-line.flow.yaml", "utf8");
    await editor.write(FILE, text);
    await body(editor, text, sandbox);
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
}

async function openSynced(editor: Editor, text: string): Promise<void> {
  const synced = editor.next("synced");
  await editor.open(FILE, text);
  await synced;
}

/** The file reached the platform under a new version. */
function nextVersion(editor: Editor): Promise<unknown> {
  const last = Math.max(0, ...editor.states.map(({ version = 0 }) => version));
  return editor.next("synced", ({ version = 0 }) => version > last);
}

async function saveSynced(editor: Editor, text: string): Promise<void> {
  const synced = nextVersion(editor);
  await editor.save(FILE, text);
  await synced;
}

/** Another user changes a field of a node on the platform. */
function colleague(editor: Editor, node_id: string, fields: Record<string, string>): Promise<unknown> {
  return editor.platform.applyGraphOps(assistant, revision, { ops: [{ op: "update_node_fields", node_id, fields }] });
}

const codes = (found: readonly Diagnostic[]) => found.map(({ code }) => String(code)).sort();

const answer = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test(
  "where reading the revision is refused, a check says that the version is unknown, and a pull finds out",
  {
    timeout: 60_000,
  },
  () =>
    story({}, async (editor, text) => {
      const requests: string[] = [];
      let isRefused = false;
      editor.intercept = ({ method }) => {
        requests.push(method);
        return isRefused && method === "GET"
          ? answer(404, { error: "not_found", message: "No such revision." })
          : undefined;
      };
      await openSynced(editor, text);
      await saveSynced(editor, text.replace("name: Greeting", "name: The greeting"));
      await editor.restart();
      isRefused = true;
      await editor.open(FILE, await editor.onDisk(FILE));
      for (let i = 0; i < 2; i++) {
        requests.length = 0;
        const checked = await editor.act(FILE, "look");
        assert.equal(checked.kind, "unknown", JSON.stringify(checked));
        assert.match(checked.message, /The platform doesn't show whether it has changed since\. Pull to find out\./);
        assert.ok(!requests.includes("POST"), "a look only reads");
      }
      // A push of an unchanged file has nothing to send, and knows no more.
      assert.equal((await editor.act(FILE, "push")).kind, "unknown");
      await colleague(editor, "greet", { name: "Theirs" });
      assert.equal((await editor.act(FILE, "pull")).kind, "synced");
      assert.match(editor.text(FILE), /name: Theirs/);
    }),
);

test(
  "findings move, become outdated and disappear; every kind of fix works; they survive a restart",
  { timeout: 120_000 },
  () =>
    story({ rules: quiet }, async (editor, clean) => {
      await openSynced(editor, clean);
      // A node that changes is sent with its lines, and the platform's fixes refer to those.
      const flawed = await readFile("test/support/flawed.flow.yaml", "utf8");
      const text = flawed.replace(/^ {4}name: (?!Greeting$).*$/gm, "$& again");
      await saveSynced(editor, text.replace("name: Greeting", "name: The greeting"));
      assert.equal(editor.asked[0]?.reason, "first-push");
      const all = "edge.duplicate node.no-default node.unreachable tool.no-error-path variable.unknown variable.unused";
      // The findings and the messages of the compilation arrive separately.
      const isComplete = (each: readonly Diagnostic[]) => each.length >= all.split(" ").length;
      const found = await editor.findings(FILE, isComplete);
      assert.deepEqual(codes(found), all.split(" "));
      const unknown = found.find(({ code }) => code === "variable.unknown") as Diagnostic;
      const unused = found.find(({ code }) => code === "variable.unused") as Diagnostic;
      assert.match(text.split("\n")[unused.range.start.line] as string, /^ {2}loyalty_tier:/);

      // The hover shows what the fix would change and links to it; the action includes its edits for a preview.
      const about = await editor.hover(FILE, unknown);
      assert.match(about, /Found by the platform, under variables/);
      assert.match(about, /```diff\n- .*\{\{acount_id\}\}.*\n\+ .*\{\{account_id\}\}.*\n```/);
      const link = /\[Apply this fix\]\(command:assistantFlow\.applyFix\?([^ )]+)/.exec(about)?.[1] ?? "";
      assert.deepEqual(JSON.parse(decodeURIComponent(link)), [
        editor.uri(FILE),
        unknown.range,
        'Replace with "account_id"',
      ]);
      assert.ok((await editor.fixes(FILE, unknown))[0]?.edit);

      // They move with the text, and fade when it is edited.
      await editor.type(FILE, `# One line more.\n${editor.text(FILE)}`);
      const ofUnknown = (each: readonly Diagnostic[]) => each.find(({ code }) => code === "variable.unknown");
      await editor.findings(FILE, (each) => ofUnknown(each)?.range.start.line === unknown.range.start.line + 1);
      await editor.type(FILE, editor.text(FILE).replace("{{acount_id}}", "{{accnt_id}}"));
      const faded = ofUnknown(await editor.findings(FILE, (each) => ofUnknown(each)?.severity === 4));
      assert.deepEqual(faded?.tags, [1]);
      assert.match(String(faded?.message), /edited since/);
      await editor.type(
        FILE,
        editor.text(FILE).replace("{{accnt_id}}", "{{acount_id}}").replace("# One line more.\n", ""),
      );

      // After a restart, the server has them without the platform.
      await editor.save(FILE);
      await editor.restart();
      editor.intercept = () => new TransportError("network", "The platform cannot be reached.");
      await editor.open(FILE, await editor.onDisk(FILE));
      const kept = await editor.findings(FILE, isComplete);
      assert.deepEqual(codes(kept), all.split(" "));
      editor.intercept = () => undefined;
      await editor.connected();

      // Text, YAML and operations are edits; prose is shown.
      for (const code of ["variable.unknown", "tool.no-error-path", "node.no-default", "edge.duplicate"]) {
        const [finding] = (await editor.findings(FILE, (each) => codes(each).includes(code))).filter(
          (f) => f.code === code,
        );
        const [fix] = (await editor.fixes(FILE, finding as Diagnostic)).filter((each) => each.isPreferred);
        assert.ok(fix?.edit, `${code} has a fix`);
        assert.deepEqual(
          fix.diagnostics?.map((each) => each.code),
          [code],
        );
        await editor.apply(fix.edit);
        await saveSynced(editor, editor.text(FILE));
        await editor.findings(FILE, (each) => !codes(each).includes(code));
      }
      const [prose] = (await editor.findings(FILE, () => true)).filter(({ code }) => code === "node.unreachable");
      const [advice] = (await editor.fixes(FILE, prose as Diagnostic)) as [CodeAction];
      assert.equal(advice.edit, undefined);
      assert.equal(advice.command?.command, "assistantFlow.showAdvice");
      assert.match(String(advice.command?.arguments?.[2]), /^Add an edge that leads here/);
      const everything = await editor.client.request<CodeAction[]>("textDocument/codeAction", {
        textDocument: { uri: editor.uri(FILE) },
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        context: { diagnostics: [], only: ["source.fixAll"] },
      });
      const { edit } = await editor.client.request<CodeAction>("codeAction/resolve", everything[0]);
      assert.ok(edit);
      await editor.apply(edit);
      await saveSynced(editor, editor.text(FILE));
      assert.deepEqual(codes(await editor.findings(FILE, (each) => each.length === 1)), ["node.unreachable"]);
      assert.match(editor.text(FILE), /open on account \{\{account_id\}\}/);
    }),
);

test("lenses count new findings; a closed file keeps its findings, which follow its text", { timeout: 120_000 }, () =>
  story({ rules: quiet }, async (editor, clean) => {
    await openSynced(editor, clean);
    const text = await readFile("test/support/flawed.flow.yaml", "utf8");
    const before = editor.lensRefreshes;
    await saveSynced(editor, text.replace("name: Greeting", "name: The greeting"));
    const found = await editor.findings(FILE, (each) => each.length > 0);
    // Requested after the findings were sent, so all diagnostics about them have arrived.
    await editor.act(FILE, "look");
    assert.ok(editor.lensRefreshes > before, "the lenses still count what was found before");

    const said = (lines: number) => (params: { uri: string; version?: number; diagnostics: readonly Diagnostic[] }) =>
      params.uri === editor.uri(FILE) &&
      params.version === undefined &&
      isDeepStrictEqual(
        ofPlatform(params.diagnostics).map(({ code, range }) => `${code} ${range.start.line}`),
        found.map(({ code, range }) => `${code} ${range.start.line + lines}`),
      );
    await editor.type(FILE, `# Never saved.\n${editor.text(FILE)}`);
    await editor.close(FILE);
    await editor.client.nextPublish(said(0));
    await editor.write(FILE, `# One line more.\n${await editor.onDisk(FILE)}`);
    await editor.watched(FILE);
    await editor.client.nextPublish(said(1));
  }),
);

test("a plan of several batches is noted while typing, and no longer once it's sent", { timeout: 120_000 }, () =>
  story({}, async (editor, text) => {
    await openSynced(editor, text);
    const noted = (version: number, isNoted: boolean) =>
      editor.client.nextPublish(
        (params) =>
          params.version === version && isNoted === codes(params.diagnostics).includes("batch-needs-chaining"),
      );
    const many = Array.from({ length: 300 }, (_, i) => `  more_${i}:\n    type: end\n`).join("");
    const long = text.replace("\nnodes:\n", `\nnodes:\n${many}`);
    await editor.type(FILE, long);
    const { diagnostics } = await noted(2, true);
    const note = diagnostics.find(({ code }) => code === "batch-needs-chaining");
    assert.match(String(note?.message), /^This change has 300 operations .* in 2 batches/);
    await editor.type(FILE, text);
    await noted(3, false);
    await editor.type(FILE, long);
    await noted(4, true);
    editor.client.published.length = 0;
    await saveSynced(editor, long);
    await noted(4, false);
  }),
);

test("a folder's sync.onSave overrides the window's", { timeout: 120_000 }, () => {
  const asked = new Set<string | undefined>();
  const perFolder = (scopeUri?: string) => {
    asked.add(scopeUri);
    return { sync: { onSave: scopeUri?.endsWith(FILE) ? "off" : "on" } };
  };
  return story(perFolder, async (editor, text) => {
    await openSynced(editor, text);
    const waits = editor.next("pending", ({ reason }) => reason === "manual");
    await editor.save(FILE, text.replace("name: Greeting", "name: Hello"));
    await waits;
    assert.ok(asked.has(editor.uri(FILE)));
    assert.equal((await editor.act(FILE, "push")).kind, "synced");
  });
});

test("a push right after a save sends the saved text, however slowly settings arrive", { timeout: 120_000 }, () => {
  let answer = Promise.resolve();
  const settings = async () => {
    await answer;
    return {};
  };
  return story(settings, async (editor, text) => {
    await openSynced(editor, text);
    let goOn = () => {};
    answer = new Promise((resolve) => {
      goOn = resolve;
    });
    await editor.save(FILE, text.replace("name: Greeting", "name: Hello"));
    const pushed = editor.act(FILE, "push");
    // The server reads this answer after the push, which was sent first.
    goOn();
    assert.equal((await pushed).kind, "synced");
    const left = await editor.client.request<PlanView>("assistantFlow/plan", { uri: editor.uri(FILE) });
    assert.deepEqual(left.lines, []);
  });
});

test("a declined first push waits; a push sends it; then saves are pushed", { timeout: 120_000 }, () =>
  story({}, async (editor, text) => {
    await openSynced(editor, text);
    editor.agrees = false;
    const declined = editor.next("pending", ({ reason }) => reason === "declined");
    await editor.save(FILE, text.replace("name: Greeting", "name: Hello"));
    await declined;
    assert.equal(editor.asked.at(-1)?.plan.lines[0]?.text, "node greet: name");
    editor.agrees = true;
    assert.equal((await editor.act(FILE, "push")).kind, "synced");
    const asked = editor.asked.length;
    await saveSynced(editor, text.replace("name: Greeting", "name: Good day"));
    assert.equal(editor.asked.length, asked);
  }),
);

test("a Yes to an outdated question asks again with the current plan", { timeout: 120_000 }, () =>
  story({}, async (editor, text) => {
    await openSynced(editor, text);
    const answers: ((yes: boolean) => void)[] = [];
    const asked = async (act: () => unknown) => {
      editor.agrees = new Promise((resolve) => answers.push(resolve));
      const question = editor.nextQuestion();
      await act();
      await question;
    };
    await asked(() => editor.save(FILE, text.replace("name: Greeting", "name: Hello")));
    await asked(() => editor.save(FILE, text.replace("name: Greeting", "name: Good day")));
    assert.deepEqual(
      editor.asked.map(({ to, removesMany }) => ({ ...to, removesMany })),
      Array(2).fill({ address: editor.sandbox.baseUrl, assistant, revision, removesMany: false }),
    );
    await asked(() => answers[0]?.(true));
    assert.equal(editor.states.at(-1)?.kind, "pending", "nothing is sent by it");
    const sent = nextVersion(editor);
    answers[2]?.(true);
    await sent;
    assert.equal(editor.asked.length, 3);
    answers[1]?.(true);
  }),
);

test("a linked flow whose link can't be read says so, and syncs again once it's repaired", { timeout: 120_000 }, () =>
  story({}, async (editor, text) => {
    await openSynced(editor, text);
    for (const broken of [
      `{\n${text}`,
      text.replace(/^assistant: /m, "assistant "),
      text.replace(/^revision: /m, "revision: {"),
    ]) {
      const hidden = editor.next("unlinked");
      await editor.save(FILE, broken);
      const { reason, text: words, message } = await hidden;
      assert.deepEqual([reason, words], ["unreadable", "not synced (syntax errors)"]);
      assert.match(message, /can't be read because of syntax errors/);
      const repaired = editor.next("synced");
      await editor.save(FILE, text);
      await repaired;
    }
    const unlinked = editor.next("unlinked");
    await editor.save(FILE, text.replace(/^(assistant|revision): .*\n/gm, "").replace(/^entry: /m, "entry: ["));
    assert.equal((await unlinked).text, "unlinked", "it has no link, and syntax errors");
  }),
);

test("a flow without a link says so, also if no flow of the workspace has one", () =>
  story({}, async (editor) => {
    await editor.write(FILE, "");
    const unlinked = editor.next("unlinked");
    await editor.open(FILE, "entry: a\nnodes:\n  a: {type: end}\n");
    const { reason, text, message } = await unlinked;
    assert.deepEqual([reason, text], [undefined, "unlinked"]);
    assert.equal(message, "The file isn't linked to an assistant and revision.");
  }));

test("a question about a previous connection sends nothing, with a message", { timeout: 120_000 }, () =>
  story({}, async (editor, text) => {
    await openSynced(editor, text);
    const said = new Promise<{ message: string }>((resolve) =>
      editor.client.connection.onNotification("window/showMessage", resolve),
    );
    let yes: (yes: boolean) => void = () => undefined;
    editor.agrees = new Promise((resolve) => {
      yes = resolve;
    });
    const question = editor.nextQuestion();
    await editor.save(FILE, text.replace("name: Greeting", "name: Hello"));
    await question;
    const unlinked = editor.next("unlinked");
    await editor.client.connection.sendNotification("assistantFlow/connection", {});
    await unlinked;
    assert.deepEqual(editor.withdrawn, editor.asked);
    // It may have been answered just before it was withdrawn.
    yes(true);
    assert.match((await said).message, /^Nothing was pushed: the connection or the file.s link has changed/);
    // The history isn't empty: it isn't known which platform's versions to list.
    const seen = await editor.client.request<SeenVersions>("assistantFlow/versions", { uri: editor.uri(FILE) });
    assert.deepEqual(seen, { versions: [], problem: "There is no connection to a platform. Add one first." });
  }),
);

test(
  "every request says which platform it is meant for; a switch on the way leaves nothing in flight",
  { timeout: 120_000 },
  () =>
    story({}, async (editor, text) => {
      await openSynced(editor, text);
      await saveSynced(editor, text.replace("name: Greeting", "name: Hello"));
      // The editor switched, and the server doesn't know yet.
      editor.intercept = ({ method }) =>
        method === "POST" ? new TransportError("no-connection", "The connection is no longer in use.") : undefined;
      const waits = editor.next("pending", ({ reason }) => reason === "offline");
      await editor.save(FILE, text.replace("name: Greeting", "name: Good day"));
      await waits;
      assert.deepEqual([...editor.sentTo], [editor.sandbox.baseUrl]);
      editor.intercept = () => new TransportError("network", "The platform cannot be reached.");
      const elsewhere = editor.next("pending", ({ reason }) => reason === "offline");
      await editor.connected("http://127.0.0.1:9");
      await elsewhere;
      assert.deepEqual([...editor.sentTo], [editor.sandbox.baseUrl, "http://127.0.0.1:9"]);
      editor.intercept = () => undefined;
      const back = nextVersion(editor);
      await editor.connected();
      await back;
    }),
);

test(
  "an assistant is offered to be restored only where the platform said that it is archived",
  { timeout: 120_000 },
  () =>
    story({}, async (editor, text) => {
      await openSynced(editor, text);
      const titles = async () => {
        const lenses = await editor.client.request<CodeLens[]>("textDocument/codeLens", {
          textDocument: { uri: editor.uri(FILE) },
        });
        const shown = await Promise.all(
          lenses.map((lens) => editor.client.request<CodeLens>("codeLens/resolve", lens)),
        );
        return shown.map(({ command }) => command?.title);
      };
      assert.ok(!(await titles()).includes("Restore Assistant"));
      editor.intercept = ({ method }) =>
        method === "POST"
          ? answer(409, { error: "assistant_archived", message: "This assistant is archived. Restore it first." })
          : undefined;
      const blocked = editor.next("blocked");
      await editor.save(FILE, text.replace("name: Greeting", "name: Hello"));
      await blocked;
      assert.ok((await titles()).includes("Restore Assistant"));
      editor.intercept = () => undefined;
      await saveSynced(editor, text.replace("name: Greeting", "name: Hello there"));
      assert.ok(!(await titles()).includes("Restore Assistant"));
    }),
);

test(
  "the same field changed on both sides is a conflict, settled either way; other fields merge",
  { timeout: 120_000 },
  () =>
    story({}, async (editor, text) => {
      await openSynced(editor, text);
      await saveSynced(editor, text.replace("name: Greeting", "name: Hello"));
      await colleague(editor, "goodbye", { name: "The end" });
      await saveSynced(editor, editor.text(FILE).replace("name: Topic", "name: Subject"));
      assert.match(await editor.onDisk(FILE), /name: The end/, "a colleague's change is in the file");
      for (const [side, name] of [
        ["ours", "Hello, ours"],
        ["theirs", "Hello, theirs"],
      ] as const) {
        await colleague(editor, "greet", { name: "Hello, theirs" });
        const conflict = editor.next("conflict");
        await editor.save(
          FILE,
          editor.text(FILE).replace(/name: Hello.*/, `name: Hello, ours${side === "ours" ? "" : " again"}`),
        );
        const { conflicts } = await conflict;
        assert.equal(conflicts[0]?.theirs, "Hello, theirs");
        assert.ok(conflicts[0]?.range);
        const choices = Object.fromEntries(conflicts.map(({ key }) => [key, side]));
        const settled = await editor.client.request<{ kind: string }>("assistantFlow/resolve", {
          uri: editor.uri(FILE),
          choices,
        });

        assert.equal(settled.kind, "synced", JSON.stringify(settled));
        assert.ok((await editor.onDisk(FILE)).includes(`name: ${name}\n`), side);
      }
    }),
);

test("offline and back; a rejected key and a new one; a 422 on its line", { timeout: 120_000 }, () =>
  story({}, async (editor, text, sandbox) => {
    await openSynced(editor, text);
    await saveSynced(editor, text.replace("name: Greeting", "name: Hello"));
    editor.intercept = () => new TransportError("network", "The platform cannot be reached.");
    const offline = editor.next("pending", ({ reason }) => reason === "offline");
    await editor.save(FILE, editor.text(FILE).replace("name: Hello", "name: Offline"));
    await offline;
    editor.intercept = () => undefined;
    const back = nextVersion(editor);
    await editor.connected();
    await back;

    const refused = editor.next("unauthorized");
    await editor.useKey("wrong-key-0000000000");
    await editor.save(FILE, editor.text(FILE).replace("name: Offline", "name: Refused"));
    await refused;
    const again = nextVersion(editor);
    await editor.useKey(sandbox.apiKey);
    await again;

    const loc = ["body", "ops", 0, "update_node_fields", "fields", "name"];
    const detail = [{ loc, msg: "The name is too short.", type: "value_error" }];
    editor.intercept = ({ method }) => (method === "POST" ? answer(422, { detail }) : undefined);
    const blocked = editor.next("blocked");
    await editor.save(FILE, editor.text(FILE).replace("name: Refused", "name: R"));
    await blocked;
    const [problem] = await editor.findings(FILE, (found) => codes(found).includes("platform-refused"));
    assert.match(String(problem?.message), /The name is too short/);
    assert.equal(editor.text(FILE).split("\n")[problem?.range.start.line ?? 0]?.trim(), "name: R");
    editor.intercept = () => undefined;
    await saveSynced(editor, editor.text(FILE).replace("name: R\n", "name: Ready\n"));
    await editor.findings(FILE, (found) => !codes(found).includes("platform-refused"));
  }),
);

test("an offline save is sent after a restart without opening the file", { timeout: 120_000 }, () =>
  story({}, async (editor, text) => {
    await openSynced(editor, text);
    await saveSynced(editor, text.replace("name: Greeting", "name: Hello"));
    const { version = 0 } = editor.states.at(-1) ?? {};
    editor.intercept = () => new TransportError("network", "The platform cannot be reached.");
    const offline = editor.next("pending", ({ reason }) => reason === "offline");
    await editor.save(FILE, editor.text(FILE).replace("name: Hello", "name: Offline"));
    await offline;
    await editor.restart();
    editor.intercept = () => undefined;
    const sent = await editor.next("synced");
    assert.deepEqual([sent.uri, sent.version], [editor.uri(FILE), version + 1]);
  }),
);

test(
  "sync on save can be off or ask; local errors block; a branch switch pauses; one revision has one file",
  { timeout: 120_000 },
  () =>
    story({ sync: { onSave: "off" } }, async (editor, text) => {
      await openSynced(editor, text);
      const changed = (name: string) => text.replace("name: Greeting", `name: ${name}`);
      const waits = editor.next("pending", ({ reason }) => reason === "manual");
      await editor.save(FILE, changed("Off"));
      await waits;
      assert.equal((await editor.act(FILE, "push")).kind, "synced");
      editor.client.settings = { sync: { onSave: "ask" } };
      await saveSynced(editor, changed("Ask"));
      assert.equal(editor.asked.at(-1)?.reason, "save");

      editor.client.settings = {};
      const blocked = editor.next("blocked", ({ reason }) => reason === "local-errors");
      await editor.save(FILE, changed("Ask").replace("entry: greet", "entry: nowhere"));
      await blocked;
      const unblocked = editor.next("synced");
      await editor.save(FILE, changed("Ask"));
      await unblocked;

      const paused = editor.next("pending", ({ reason }) => reason === "paused");
      const branch = changed("Ask").replaceAll("type: message\n", "type: message\n    description: On a branch.\n");
      await editor.write(FILE, branch);
      await editor.type(FILE, branch);
      await editor.watched(FILE);
      await paused;
      await editor.save(FILE);
      assert.equal((await editor.act(FILE, "look")).reason, "paused", "a save of the same text does not end it");
      assert.equal((await editor.act(FILE, "push")).kind, "synced");

      // A late didSave after a file event isn't treated as another program's change.
      const early = editor.next("pending", ({ reason }) => reason === "paused");
      const late = branch.replace("name: Ask", "name: Late");
      await editor.type(FILE, late);
      await editor.write(FILE, late);
      await editor.watched(FILE);
      await early;
      const told = nextVersion(editor);
      await editor.client.connection.sendNotification("textDocument/didSave", {
        textDocument: { uri: editor.uri(FILE) },
      });
      await told;
      await editor.write(FILE, branch);
      await editor.type(FILE, branch);
      await saveSynced(editor, branch);

      const both = [FILE, "copy.flow.yaml"].map((name) =>
        editor.next("blocked", ({ uri, reason }) => uri === editor.uri(name) && reason === "claimed-twice"),
      );
      await editor.write("copy.flow.yaml", branch);
      await editor.watched("copy.flow.yaml");
      for (const { message } of await Promise.all(both))
        assert.match(message, /also named by (copy|support)\.flow\.yaml/);
      const free = editor.next("synced", ({ uri }) => uri === editor.uri(FILE));
      await rm(path.join(editor.folder, "copy.flow.yaml"));
      await editor.watched("copy.flow.yaml");
      await free;
    }),
);

test("a save whose didSave comes late isn't another program's change", { timeout: 120_000 }, () =>
  story({}, async (editor, text) => {
    await openSynced(editor, text);
    const other = (message: RegExp) =>
      editor.next("unlinked", (state) => state.uri === editor.uri("other.flow.yaml") && message.test(state.message));
    const opened = other(/./);
    await editor.write("other.flow.yaml", "entry: a\nnodes:\n  a: {type: end}\n");
    await editor.open("other.flow.yaml", await editor.onDisk("other.flow.yaml"));
    await opened;
    const late = text.replace("name: Greeting", "name: Late");
    const textDocument = { uri: editor.uri(FILE) };
    await editor.type(FILE, late);
    await editor.client.connection.sendNotification("textDocument/willSave", { textDocument, reason: 1 });
    await editor.write(FILE, late);
    await editor.watched(FILE);
    // The removal of another file is detected later than this write would be.
    const removed = other(/no longer there/);
    await rm(path.join(editor.folder, "other.flow.yaml"));
    await editor.watched("other.flow.yaml");
    await removed;
    assert.equal((await editor.act(FILE, "look")).kind, "synced");
    const synced = nextVersion(editor);
    await editor.client.connection.sendNotification("textDocument/didSave", { textDocument });
    await synced;
    const back = other(/isn't linked/);
    await editor.write("other.flow.yaml", "entry: a\nnodes:\n  a: {type: end}\n");
    await editor.watched("other.flow.yaml");
    await back;
  }),
);

for (const [what, steps] of [
  ["closed, then its folder leaves the workspace", ["add", "open", "close", "remove"]],
  ["never opened, and its folder leaves the workspace", ["add", "remove"]],
  ["its folder leaves the workspace, then it is closed", ["add", "open", "remove", "close"]],
  ["of no folder, and closed", ["open", "close"]],
] as const)
  test(`a second file claims nothing any more: ${what}`, () =>
    story({ rules: quiet }, async (editor, text) => {
      await openSynced(editor, text);
      const other = await mkdtemp(path.join(tmpdir(), "aflow-other-folder-"));
      const folder = { uri: pathToFileURL(other).href, name: "other" };
      const copy = pathToFileURL(path.join(other, "copy.flow.yaml")).href;
      const folders = (event: object) =>
        editor.client.connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
      const does = {
        add: () => folders({ added: [folder], removed: [] }),
        remove: () => folders({ added: [], removed: [folder] }),
        open: () => editor.client.open(copy, text),
        close: () => editor.client.close(copy),
      };
      try {
        await writeFile(path.join(other, "copy.flow.yaml"), text);
        const isOurs = ({ uri }: { uri: string }) => uri === editor.uri(FILE);
        const blocked = editor.next("blocked", (state) => isOurs(state) && state.reason === "claimed-twice");
        const [last] = steps.slice(-1) as ["close" | "remove"];
        for (const step of steps.slice(0, -1)) await does[step]();
        await blocked;
        const free = editor.next("synced", isOurs);
        await does[last]();
        await free;
        await saveSynced(editor, text.replace("name: ", "name: Dear "));
      } finally {
        await rm(other, { recursive: true });
      }
    }));
