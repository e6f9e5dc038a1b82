/** Escaping of text from others. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import {
  bounded,
  codeBlock,
  codeSpan,
  escapeMarkdown,
  linkTarget,
  shellPath,
  visible,
  visibleLine,
  withoutLinks,
  withoutMarkdown,
} from "../../text";
import { hostileTexts, liveIn } from "../security/hostile-texts";

test("invisible characters are shown as JSON escapes", () => {
  const pairs = [
    ["a\x1b[31mb", "a\\u001b[31mb"],
    ["\x9b2J", "\\u009b2J"],
    ["pay\u200bpal", "pay\\u200bpal"],
    ["a\u202eb\u2066c", "a\\u202eb\\u2066c"],
    ["\u{e0041}", "\\udb40\\udc41"],
    ["\ud800", "\\ud800"],
    ["x\ufe0fy\u200dz\ufeff\xad\u3164", "x\\ufe0fy\\u200dz\\ufeff\\u00ad\\u3164"],
    ["\r\ry", "\\u000d\\u000dy"],
  ] as const;
  for (const [text, shown] of pairs) {
    assert.equal(visible(text), shown);
    const json = JSON.stringify({ text });
    assert.deepEqual(JSON.parse(visible(json)), { text }, "a report stays what it was");
  }
});

test("ordinary text of any language is unchanged", () => {
  for (const text of ["naïve Ænglish", "日本語 テスト", "עברית العربية", "a\tb\nc", "👩‍👩‍👧 ❤️ 1️⃣ 👍🏽", "e\u0301 — “x”"])
    assert.equal(visible(text), text);
  assert.equal(visible("a\r\nb"), "a\nb");
  assert.equal(visibleLine("a\r\n\n  b"), "a b");
});

test("text is truncated between characters", () => {
  assert.equal(bounded("ab", 5), "ab");
  assert.equal(bounded("a😀", 2), "a");
  assert.equal(bounded("😀a", 2), "😀");
});

test("a path in a command is one shell word, whatever it contains", () => {
  for (const plain of ["/home/me/a.flow.yaml", "flows/línea_2.flow.yaml"]) assert.equal(shellPath(plain, false), plain);
  assert.equal(shellPath("C:\\flows\\a.flow.yaml", true), "C:\\flows\\a.flow.yaml");
  assert.equal(shellPath("C:\\my flows\\it's $(x).flow.yaml", true), "'C:\\my flows\\it''s $(x).flow.yaml'");
  const signs = [
    " ",
    "'",
    '"',
    "\\",
    "$(touch x)",
    "`id`",
    ";rm",
    "&",
    "|",
    "*",
    "~",
    "#",
    "!",
    "\n",
    "\t",
    "<",
    ">",
    "(",
    "{a,b}",
    "-x",
  ];
  for (const name of [...signs, signs.join(""), "it's 'quoted'"]) {
    const path = shellPath(name, false);
    if (process.platform === "win32") continue;
    const said = execFileSync("/bin/sh", ["-c", `printf %s ${path}`], { encoding: "utf8" });
    assert.equal(said, name.startsWith("-") ? `./${name}` : name);
  }
});

test("a message has no invisible characters", () => {
  assert.equal(withoutLinks("pay\u200bpal \u202e[x](command:y)"), "pay\\u200bpal \\u202e[x] (command:y)");
});

test("a folder name can't end a link", () => {
  for (const folder of ["a) [x](command:y", "a (b)", "a\\) ![](https://evil.test/x", "<a>", "a b"]) {
    const address = `file:///${folder}/a.flow.yaml#L3`;
    const isOwn = (target: string) => /^file:[^\s()]+\.flow\.yaml#L3$/.test(target);
    assert.deepEqual(liveIn(`- [Line 3](${linkTarget(address)}): words`, isOwn), [], folder);
  }
});

test("hostile text has no effect in Markdown", () => {
  for (const text of hostileTexts) {
    assert.deepEqual(liveIn(escapeMarkdown(text)), [], JSON.stringify(text));
    assert.deepEqual(liveIn(codeSpan(text)), [], JSON.stringify(text));
    assert.deepEqual(liveIn(codeBlock("diff", text.split("\n"))), [], JSON.stringify(text));
    assert.deepEqual(liveIn(`- ← ${codeSpan(text)} ${escapeMarkdown(text)}\n- ${escapeMarkdown(text)}`), []);
  }
});

test("the check detects unescaped markup", () => {
  for (const text of [
    "[a](command:x)",
    "![](https://x.test)",
    "<https://x.test>",
    "see https://x.test",
    "www.x.com",
    "a@b.com",
  ])
    assert.notDeepEqual(liveIn(text), [], text);
});

test("escaped text is readable where Markdown isn't rendered", () => {
  for (const text of ["a_b", "1. one", "- x", "[a](b)", "50% & more", "a@b.c https://x.test", "$5 (five) #1!"])
    assert.equal(withoutMarkdown(escapeMarkdown(text)), text);
  assert.equal(withoutMarkdown("**bold** `code` [page](https://x.test)"), "bold code page (https://x.test)");
  assert.equal(withoutMarkdown('[Apply](command:x "Why")', "hidden"), "Apply");
});
