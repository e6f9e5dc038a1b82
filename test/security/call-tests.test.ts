/**
 * Tests created from calls contain no personal data, only what the flow itself contains. Each kind of personal data is
 * planted in values, in keys and in the caller's sentences; all of it is removed, and the test still runs like the
 * call.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../flow";
import { programOf } from "../../flow/run";
import { readTestFile, runSuiteFile, testFileWith, testOfCall } from "../../flow/test";
import { personalData } from "./personal-data";

const program = programOf(
  FlowDocument.read(`entry: greet
persona: You are Riley. You speak about bills and plans, and ask for the account.
context_variables:
  account_id: {type: string}
  note: {type: string}
  details: {type: object}
  age: {type: integer}
  plan: {type: string, enum_values: [basic, plus]}
nodes:
  greet:
    type: message
    instructions: Welcome the caller.
    edges: [{to: ask, when: the caller asks about a bill}, {to: bye}]
  ask: {type: collect, variable: account_id, edges: [{to: tell, when: "{{account_id}} is known"}, {to: person}]}
  tell: {type: collect, variable: note, edges: [{to: old}]}
  old: {type: collect, variable: age, edges: [{to: look, when: "{{age}} >= 18"}, {to: person}]}
  look: {type: tool, tool: t, saves: {plan: $.plan, details: $.details}, edges: [{to: bye, when: "{{plan}} is plus"}, {to: person}]}
  person: {type: transfer}
  bye: {type: end}
`),
);

/** The planted data, and the parts of it that must not be found. */
const kinds: Record<string, readonly string[]> = {
  "a PIN": ["4729", "0815", "9471"],
  "the last four digits of a card": ["8830", "1177", "5542"],
  "a birth year": ["1967", "2003", "1989"],
  "a date of birth": ["1967-03-14", "14.03.1967", "3/14/67"],
  "a spoken date": ["march fourteenth", "the third of july", "May 5th"],
  "a first name": ["Maria", "Will", "Jürgen"],
  "a last name": ["O'Neill-Sørensen", "Bill", "Nguyễn"],
  "an inflected name": ["Marias", "Mariechen", "Jürgens"],
  "a spelled-out name": ["M A R I A", "em a r i a", "Mike Alpha Romeo"],
  "a name in another script": ["Мария", "田中さん", "مريم"],
  "a name in capitals": ["MARIA", "SØRENSEN", "MÜLLER"],
  "another person's name": ["my wife Petra", "Doctor Okafor", "aunt Ludmila"],
  "a nickname": ["Mimi", "Schatzi", "Bobo"],
  "a street": ["Elm Street", "Hauptstraße", "Rue Lepic"],
  "a house number": ["12b", "221", "7/3"],
  "a city": ["Springfield", "Köln", "Łódź"],
  "a postcode": ["90210", "SW1A 2AA", "50667"],
  "numbers in words": ["eight eight one two", "siebenundvierzig elf", "double four seven"],
  "one number in words": ["seventeen", "ninety", "sieben"],
  "non-ASCII digits": ["٤٧١١", "४७११", "４７１１"],
  "an e-mail": ["maria.oneill@corp.example", "mo+x@x.example", "m@üni.example"],
  "a split e-mail": ["maria dot oneill at corp dot example", "maria at corp", "corp punkt example"],
  "a phone number": ["+49 170 5550123", "(518) 555-0199", "0170-555 01 23"],
  "an IBAN": ["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819", "FR14 2004 1010 0505"],
  "a card number": ["4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009"],
  "an account number": ["88123456", "AB12-99X", "KD/4711/09"],
  "a license plate": ["B-MW 1234", "7ABC123", "WI JK 77"],
  "a passport": ["C01X00T47", "X1234567", "L898902C3"],
  "a web address": ["https://x.example/u/8812", "facebook.com/maria", "@maria_o"],
  "an IP address": ["192.0.2.44", "2001:db8::7", "198.51.100.9"],
  "a UUID": ["0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002", "9b2c7d1e", "4f0c-8a51"],
  "an illness": ["diabetes", "a herniated disc", "Depression"],
  "an employer": ["Northgate Dynamics", "Stadtwerke Bonn", "the bakery Kamps"],
  "a religion": ["catholic", "Sunni", "Buddhist"],
  "a password": ["hunter2", "correct horse", "pa$$w0rd!"],
  "an age": ["67", "81", "39"],
  ...personalData,
};

/** The words and numbers of a string. */
const pieces = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{M}]{3,}|\p{N}{2,}/gu) ?? []);

/** Words of the flow, and common function words. */
const known = new Set([...pieces(program.document.text), "the", "my", "at", "of"]);

for (const [kind, planted] of Object.entries(kinds))
  test(`${kind} is gone from values, keys and words, and the test runs as the call did`, () => {
    for (const secret of planted) {
      const call = {
        variables: new Map<string, unknown>([
          ["account_id", secret],
          ["note", `It is about ${secret}, you know.`],
          ["age", /^\d+$/.test(secret) && Number(secret) >= 18 ? Number(secret) : 44],
          ["plan", "plus"],
          ["details", { [secret]: [secret, { deep: secret }] }],
        ]),
        ended: "end" as const,
        entered: [],
        said: [`Hello, it's ${secret}.`, secret, `I want to know about the bill of ${secret}, please.`],
        names: [],
      };
      const made = testOfCall(program, call, String);
      assert.ok(made && !made.isDraft, secret);
      const text = testFileWith("a.flow.yaml", [made.lines.join("\n")]);
      const found = [...pieces(secret)].filter((piece) => pieces(text).has(piece) && !known.has(piece));
      assert.deepEqual(found, [], `${secret}\n${text}`);
      const run = runSuiteFile({ path: "", file: readTestFile(text), flowPath: "", flow: program }, () => undefined);
      assert.deepEqual(
        run.results.map(({ status, path }) => [status, path.join(" ")]),
        [["passed", "greet ask tell old look bye"]],
      );
    }
  });

test("by default, nothing from the transcript is written", () => {
  const variables = new Map<string, unknown>([
    ["account_id", "4729"],
    ["note", "x"],
    ["age", 44],
    ["plan", "plus"],
  ]);
  const made = testOfCall(program, { variables, ended: "end", entered: [], said: [], names: [] }, String);
  assert.ok(made && !made.lines.join("\n").includes("says"));
});

test("a caller with the assistant's name isn't named", () => {
  const variables = new Map<string, unknown>([["account_id", "4729"]]);
  const call = {
    variables,
    ended: "transfer" as const,
    entered: [],
    said: ["Hello, Riley here.", "I am Riley."],
    names: ["Riley"],
  };
  const made = testOfCall(program, call, String);
  assert.ok(made && !/riley/i.test(made.lines.join("\n")), made?.lines.join("\n"));
});

test("a number near a bound stays on its side", () => {
  for (const age of [17, 18, 19, 0, 17.5]) {
    const variables = new Map<string, unknown>([
      ["account_id", "4729"],
      ["note", "x"],
      ["age", age],
      ...(age >= 18 ? ([["plan", "plus"]] as const) : []),
    ]);
    const ended = age >= 18 ? ("end" as const) : ("transfer" as const);
    const made = testOfCall(program, { variables, ended, entered: [], said: [], names: [] }, String);
    const text = made?.lines.join("\n") ?? "";
    const written = Number(/age: (-?[\d.]+)/.exec(text)?.[1]);
    assert.ok(written !== age && written >= 18 === age >= 18, `${age}\n${text}`);
  }
});

test("names that are also common words are left out", () => {
  const variables = new Map<string, unknown>([["account_id", "4729"]]);
  const saysOf = (said: string, names: string[] = []) => {
    const made = testOfCall(program, { variables, ended: "transfer", entered: [], said: [said], names }, String);
    return /says: (.*)/.exec(made?.lines.join("\n") ?? "")?.[1]?.replaceAll('"', "");
  };
  assert.equal(saysOf("I am Can So, and I'm here for it."), "I …, and I'm ….");
  assert.equal(saysOf("my name is an le", ["An Le"]), "my …");
  assert.equal(saysOf("It is M. A. R. I. A. Yes, please."), "It is …. …. …. …. …. Yes, please.");
  // The platform doesn't list these, and the flow has similar words.
  for (const name of ["bill", "so can", "an", "rose", "mark", "plan", "Riley", "riley", "Bill", "may", "hope", "her"])
    for (const sentence of [
      `my name is ${name}`,
      `it's ${name}`,
      `${name}.`,
      `hello i am ${name} and you`,
      `yes this is ${name} again`,
      `I was with ${name} smith before`,
      `hello call me ${name} please`,
      `${name}`,
      `it was ${name}'s account`,
    ]) {
      const kept = (saysOf(sentence) ?? "").toLowerCase().split(/[^\p{L}']+/u);
      const isNoun = !/^(?:so can|an|her)$/.test(name);
      const leaked = name
        .toLowerCase()
        .split(" ")
        .filter((word) => kept.includes(word));
      if (isNoun || !/^(?:I was with|it was)/.test(sentence))
        assert.deepEqual(leaked, [], `${sentence} → ${kept.join(" ")}`);
    }
  assert.equal(saysOf("I have a thing about the bill, and my plan."), "I have a … about the bill, and my plan.");
});

test("in what was said, no noun, verb or adjective is kept that the flow doesn't contain", () => {
  const variables = new Map<string, unknown>([["account_id", "4729"]]);
  const open =
    "rose grant mark hope grace faith joy dawn summer hunter baker smith king pope young long little brown white black stone wood hill rivers park church bishop price cash rich best good wise strong small short love dear darling honey angel star sky rain storm wolf fox bird finch robin drake lamb bull daisy lily ivy violet ruby pearl jade amber crystal sandy rusty sunny happy lucky help need want right wrong like see go make let give get know say call pay work home wife husband son daughter doctor cancer drunk pregnant poor german jewish gay".split(
      " ",
    );
  for (const word of open)
    for (const sentence of [
      `so i have the ${word} with me now`,
      `can you do it for ${word} now please`,
      `my ${word} and i`,
    ]) {
      const call = { variables, ended: "transfer" as const, entered: [], said: [sentence], names: [] };
      const text =
        testOfCall(program, call, String)
          ?.lines.filter((line) => line.includes("says: "))
          .join("\n") ?? "";
      assert.doesNotMatch(text, new RegExp(`\\b${word}\\b`), sentence);
    }
});
