/** Words of others stay words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bounded, codeBlock, codeSpan, escapeMarkdown, visible, visibleLine, withoutMarkdown } from "../../text";
import { hostileTexts, liveIn } from "../security/hostile-texts";

test("unseen signs are shown as JSON escapes them", () => {
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

test("ordinary text of any language stays as it is", () => {
  for (const text of ["naïve Ænglish", "日本語 テスト", "עברית العربية", "a\tb\nc", "👩‍👩‍👧 ❤️ 1️⃣ 👍🏽", "e\u0301 — “x”"])
    assert.equal(visible(text), text);
  assert.equal(visible("a\r\nb"), "a\nb");
  assert.equal(visibleLine("a\r\n\n  b"), "a b");
});

test("a text is cut between letters", () => {
  assert.equal(bounded("ab", 5), "ab");
  assert.equal(bounded("a😀", 2), "a");
  assert.equal(bounded("😀a", 2), "😀");
});

test("nothing hostile is live in Markdown", () => {
  for (const text of hostileTexts) {
    assert.deepEqual(liveIn(escapeMarkdown(text)), [], JSON.stringify(text));
    assert.deepEqual(liveIn(codeSpan(text)), [], JSON.stringify(text));
    assert.deepEqual(liveIn(codeBlock("diff", text.split("\n"))), [], JSON.stringify(text));
    assert.deepEqual(liveIn(`- ← ${codeSpan(text)} ${escapeMarkdown(text)}\n- ${escapeMarkdown(text)}`), []);
  }
});

test("what would be live unescaped is seen by the check", () => {
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

test("escaped words read as they were where no Markdown is shown", () => {
  for (const text of ["a_b", "1. one", "- x", "[a](b)", "50% & more", "a@b.c https://x.test", "$5 (five) #1!"])
    assert.equal(withoutMarkdown(escapeMarkdown(text)), text);
  assert.equal(withoutMarkdown("**bold** `code` [page](https://x.test)"), "bold code page (https://x.test)");
  assert.equal(withoutMarkdown('[Apply](command:x "Why")', "hidden"), "Apply");
});
