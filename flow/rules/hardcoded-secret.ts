import { isUuid } from "../grammar";
import { unused } from "../refactor/refactoring";
import { trimmedEnd } from "../text";
import { declareVariable, inOrder, putTemplate } from "./engine/edits";
import type { Rule } from "./engine/rule";
import { eachScalar } from "./engine/walk";

/** Keys with a recognizable format. */
const KNOWN: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/g],
  ["an API key", /(?<![\w-])(?:sk|pk|rk)[-_](?:live|test|proj|ant|prod)[-_][\w-]{12,}/g],
  ["an API key", /(?<![\w-])sk-[A-Za-z0-9]{20,}/g],
  ["an access key", /(?<!\w)(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/g],
  ["an API key", /(?<!\w)AIza[\w-]{35}/g],
  ["an access token", /(?<!\w)(?:gh[pousr]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,})/g],
  ["an API key", /(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}/g],
  ["a token", /(?<!\w)eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g],
  ["a token", /(?<=\s)(?=[\w.~+/-]{20})(?<=\b[Bb]earer\s+)(?=[\w.~+/-]*\d)[\w.~+/-]{20,}=*/g],
];

/** `The password is Winter2024`: a keyword, a linking word, and a word that mixes letters with digits or symbols. */
const IN_PROSE =
  /(?<![\p{L}_-])(?:password|passcode|passphrase|passwort|kennwort|contraseña|clave|mot de passe|senha|wachtwoord|パスワード|暗証番号|كلمة المرور|كلمة السر)(?:["'”»])?\s*(?:is|are|ist|lautet|es|est|=|:|：|は|هي)\s*["'“„«「]?([^\s"'“”„«»「」。،]{7,64})/giu;

/** Quick check: every secret that can be detected contains one of these. */
const TELLING =
  /[spr]k[-_]|A[KS]IA|AIza|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|SG\.|eyJ|earer|PRIVATE|key|secret|token|passw|passc|passp|pwd|credential|authorization|kennwort|contraseña|clave|mot de passe|senha|wachtwoord|パスワード|暗証|كلمة/i;

const SECRET_KEY = /(?:^|[_-])(?:api[_-]?key|apikey|secret|token|password|passwd|pwd|credentials?|authorization)$/i;

export const hardcodedSecret: Rule = {
  code: "hardcoded-secret",
  severity: "warning",
  title: "Hard-coded secret",
  checkBlock(block, report) {
    if (!TELLING.test(block.text)) return;
    eachScalar(block, (scalar, path) => {
      const source = block.text.slice(scalar.span.start, scalar.span.end);
      const tell = (kind: string, start: number, secret: string) =>
        report({
          message: `This looks like ${kind} (${secret.slice(0, 4)}…), and everyone who can read the file can use it. Remove it, revoke it, and keep the new one on the platform.`,
          span: { start, end: start + secret.length },
        });
      let found = false;
      for (const [kind, pattern] of KNOWN)
        for (const match of source.matchAll(pattern)) {
          if (found) continue;
          found = true;
          tell(kind, scalar.span.start + match.index, match[0]);
        }
      if (!found)
        for (const match of source.matchAll(IN_PROSE)) {
          const word = trimmedEnd(match[1] as string, ".,;:!?)]}");
          if (found || !isPassword(word)) continue;
          found = true;
          tell("a password", scalar.span.start + match.index + match[0].lastIndexOf(match[1] as string), word);
        }
      if (found || !SECRET_KEY.test(path.at(-1) ?? "") || typeof scalar.value !== "string") return;
      if (isSecret(scalar.value)) {
        const inside = source.indexOf(scalar.value);
        tell("a secret", scalar.span.start + Math.max(0, inside), inside < 0 ? source : scalar.value);
      }
    });
  },
  /** Removes the secret completely, also from descriptions. */
  fixes({ span }, document) {
    const block = document.blockAt(span.start);
    const name = unused("secret", (other) => document.variable(other) !== undefined);
    const edit = block && putTemplate(document, block, span, name);
    if (!edit) return [];
    const edits = inOrder([edit, declareVariable(document, name)]);
    return [{ title: `Move to context variable "${name}"`, edits }];
  },
};

/** A word of letters and digits, which is rare in sentences about passwords; not `8-digit`, a template, or an address. */
function isPassword(word: string): boolean {
  if (word.length < 7 || /[{}<>[\]%$/@\\]/.test(word) || isUuid(word)) return false;
  return /\d/.test(word) && /\p{L}/u.test(word) && !/^\d+[-–]/.test(word) && !/[-–]\d+$/.test(word);
}

/**
 * A value under a key such as `password`: one word of letters and digits; not a template, a path, a UUID, or a
 * placeholder.
 */
function isSecret(value: string): boolean {
  if (value.length < 12 || /\s/.test(value) || value.includes("{{") || isUuid(value)) return false;
  if (/^(?:\$|<|https?:|env:|secret:)/i.test(value) || /^(.)\1*$/.test(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}
