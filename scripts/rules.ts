/**
 * Generates files from the rules: the index docs/rules/README.md, and the setting `assistantFlow.rules` in package.json
 * with its strings in package.nls.json. Run `npx tsx scripts/rules.ts` after adding or changing a rule; a test checks
 * it.
 */
import { writeFileSync } from "node:fs";
import { ruleCatalog } from "../flow";
import { ruleGroups } from "../flow/rules/index";
import { inProject, manifest } from "./project";

/** The generated files, by path. */
export function generated(): Map<string, string> {
  const apart = split(withRules());
  return new Map([
    ["docs/rules/README.md", ruleIndex()],
    ["package.json", `${JSON.stringify(apart.manifest, null, 2)}\n`],
    ["package.nls.json", `${JSON.stringify(apart.words, null, 2)}\n`],
  ]);
}

function ruleIndex(): string {
  const groups = ruleGroups.map(({ title, rules }) => {
    const rows = rules.map(
      (rule) => `| [${rule.code}](${rule.code}.md) | ${rule.title} | ${rule.severity} | ${rule.fixes ? "yes" : ""} |`,
    );
    return [`## ${title}`, "", "| rule | problem | severity | fix |", "|---|---|---|---|", ...rows].join("\n");
  });
  return `# Rules

${ruleCatalog.length} rules check a flow while you type, without the network. A rule reports only definite problems, and each message describes
the problem and how to fix it. To turn a rule off in one place, add a \`# flow-ignore <code>\` comment on the line or the line above
(every diagnostic has a quick fix for this). The setting \`assistantFlow.rules\` changes the severity of a rule or turns it
\`off\`. "Fix all" applies every fix that doesn't require a choice. A fix is offered only if it solves the problem.

Six rules have no fix. For \`limit\`, \`component-of-itself\`, \`policy-broken\`, \`tool-input-type\` and \`tool-incompatible\`, only the
author of the flow knows the right change. \`batch-needs-chaining\` isn't a problem.

${groups.join("\n\n")}
`;
}

/** The manifest with a setting per rule. */
function withRules(): Record<string, unknown> {
  const data = structuredClone(manifest);
  const setting = {
    type: "object",
    scope: "window",
    markdownDescription:
      "Severity of each rule: `off`, `hint`, `info`, `warning` or `error`. Rules not listed keep their default.",
    additionalProperties: false,
    default: {},
    properties: Object.fromEntries(
      ruleCatalog.map(({ code, severity, title }) => [
        code,
        { enum: ["off", "hint", "info", "warning", "error"], default: severity, description: `${title}.` },
      ]),
    ),
  };
  data.contributes ??= {};
  const { configuration } = data.contributes;
  const sections = Array.isArray(configuration) ? configuration : [configuration ?? {}];
  const home = sections.find((section) => section.properties?.["assistantFlow.rules"]) ?? sections[0];
  home.title ??= "Assistant Flow";
  home.properties = { ...home.properties, "assistantFlow.rules": setting };
  data.contributes.configuration = Array.isArray(configuration) ? sections : home;
  return data;
}

export type Words = Record<string, string>;

const WORDED =
  /^(title|shortTitle|contextualTitle|description|markdownDescription|contents|label|userDescription|altText)$/;
const WORD_LISTS = /^(enumDescriptions|markdownEnumDescriptions|enumItemLabels)$/;
const places = [
  ...["commands", "menus", "configuration", "views", "viewsContainers", "viewsWelcome", "walkthroughs"],
  ...["languageModelTools", "debuggers", "semanticTokenModifiers"],
];

/** Splits a manifest into placeholders, named by their location, and strings by name. Product names stay. */
export function split(manifest: Record<string, unknown>): { manifest: Record<string, unknown>; words: Words } {
  const words: Words = {};
  const put = (name: string, text: unknown): unknown => {
    if (typeof text !== "string" || !/[A-Za-z]{2}/.test(text) || /^Assistant Flow( \w+)?$/.test(text)) return text;
    let free = name;
    for (let number = 2; words[free] !== undefined && words[free] !== text; number++) free = `${name}.${number}`;
    words[free] = text;
    return `%${free}%`;
  };
  const nameOf = (each: unknown, index: number) => {
    const { command, id, name, view } = (each ?? {}) as Record<string, string | undefined>;
    return command ?? id ?? name ?? (view ? `${view}.${index}` : String(index));
  };
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, nameOf(each, index)]));
    if (!value || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        const name = [...path, key].map((part) => part.replace(/^assistantFlow\./, "")).join(".");
        const values = (value as { enum?: readonly string[] }).enum;
        const isName = (key === "name" && path[0] === "views") || (key === "displayName" && path.length > 1);
        if (typeof each === "string" && (WORDED.test(key) || isName)) return [key, put(name, each)];
        if (WORD_LISTS.test(key) && Array.isArray(each))
          return [key, each.map((item, index) => put(`${name}.${values?.[index] ?? index}`, item))];
        return [key, walk(each, [...path, key])];
      }),
    );
  };
  const description = put("description", manifest.description);
  const capabilities = walk(manifest.capabilities, ["capabilities"]);
  const contributes = Object.fromEntries(
    Object.entries(manifest.contributes as object).map(([key, each]) => [
      key,
      places.includes(key) ? walk(each, [key]) : each,
    ]),
  );
  return { manifest: { ...manifest, description, capabilities, contributes }, words };
}

if (require.main === module) for (const [path, text] of generated()) writeFileSync(inProject(path), text);
