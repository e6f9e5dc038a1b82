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

if (require.main === module) for (const [path, text] of generated()) writeFileSync(inProject(path), text);
