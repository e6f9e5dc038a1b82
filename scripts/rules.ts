/**
 * Generates files from the rules: the index docs/rules/README.md, and the setting `assistantFlow.rules` in package.json
 * with its strings in package.nls.json. Run `npx tsx scripts/rules.ts` after adding or changing a rule; a test checks
 * it.
 */
import { writeFileSync } from "node:fs";
import { ruleCatalog } from "../flow";
import { ruleGroups } from "../flow/rules/index";
import { inProject, manifest } from "./project";
import { split } from "./ui-strings";

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
    return [`## ${title}`, "", "| rule | what is wrong | severity | fix |", "|---|---|---|---|", ...rows].join("\n");
  });
  return `# Rules

${ruleCatalog.length} rules look at a flow while it is typed, without the network. A rule speaks only of what can be known; every
message names the thing and says what to do. A \`# flow-ignore <code>\` comment on a line or above it silences a rule there
(every problem has a quick fix that writes it), and the setting \`assistantFlow.rules\` sets the severity of a rule or
switches it \`off\`. "Fix all" takes every fix that needs no choice. Six rules have no fix: which part of a file goes beyond a
\`limit\`, which flow is meant by a \`component-of-itself\` and how a path keeps a policy (\`policy-broken\`), which value fits a \`tool-input-type\` and how to solve a \`tool-incompatible\`, only its author can say; with \`batch-needs-chaining\` nothing is wrong. A fix is offered only where it takes its
problem away: where no node ends the conversation, for instance, no edge can lead to one.

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

if (require.main === module) for (const [path, text] of generated()) writeFileSync(inProject(path), text);
