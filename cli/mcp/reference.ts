/** Resources for agents: the format, a page per rule, and the policies of the workspace. */
import { existsSync } from "node:fs";
import path from "node:path";
import { confinedTo, readText, shownPath } from "../../files";
import { POLICY_FILE, ruleCatalog } from "../../flow";
import { codeSpan, fencedText } from "../../text";
import { findFiles, readSource } from "../files/flow-files";
import type { Capabilities, Resource, ToolContext } from "./capabilities";
import { prompts } from "./prompts";
import type { FormatPart } from "./schemas";

const markdown = "text/markdown";

const RULE_TEMPLATE = "assistant-flow://rules/{code}";

/** Completes rule codes in resource templates, and flow files in prompts. */
export function completionsFor(place: ToolContext): Capabilities["complete"] {
  return async ({ prompt, template }, name, begun) => {
    const wanted = begun.toLowerCase();
    if (template === RULE_TEMPLATE && name === "code")
      return ruleCatalog.map(({ code }) => code).filter((code) => code.startsWith(wanted));
    const argument = prompts.find((each) => each.name === prompt)?.arguments.find((each) => each.name === name);
    if (argument?.name !== "file") return [];
    const roots = await place.roots();
    const [cwd = ""] = roots;
    const files = await confinedTo(roots, () => findFiles(roots, cwd, ["flow"], "silent"));
    return files.map((file) => shownPath(file, cwd)).filter((file) => file.toLowerCase().includes(wanted));
  };
}

export function resourcesFor(place: ToolContext): Capabilities["resources"] {
  const fixed: Resource[] = [
    {
      uri: "assistant-flow://format",
      name: "Format of flows, tests and policies",
      description: "Everything needed to write valid flows, tests and policies. Also available as the tool `format`.",
      mimeType: markdown,
    },
    {
      uri: "assistant-flow://policies",
      name: "Policies of the workspace",
      description: "Requirements for every path through the flows.",
      mimeType: markdown,
    },
  ];
  const rules = ruleCatalog.map(({ code, title }) => ({
    uri: `assistant-flow://rules/${code}`,
    name: code,
    description: title,
    mimeType: markdown,
  }));
  return {
    list: async () => [...fixed, ...rules],
    templates: [
      {
        uriTemplate: RULE_TEMPLATE,
        name: "Rule",
        description: "What a rule reports, why it matters, and how to fix it.",
      },
    ],
    read: async (uri) => {
      if (uri === "assistant-flow://format") return { mimeType: markdown, text: await formatPage() };
      if (uri === "assistant-flow://policies") return { mimeType: markdown, text: await policiesOf(place) };
      const rule = rules.find((each) => each.uri === uri);
      return rule && { mimeType: markdown, text: await page(`rules/${rule.name}.md`) };
    },
  };
}

/** Returns the format page, or one part of it. */
export async function formatPage(of?: FormatPart): Promise<string> {
  const whole = await page("format.md");
  if (of === undefined) return whole;
  const [flows = "", ...parts] = whole.split(/^(?=## (?:Tests|Policies|Tools|Recommended steps)$)/m);
  return of === "flows" ? flows : (parts.find((part) => part.toLowerCase().startsWith(`## ${of}`)) ?? whole);
}

async function policiesOf(place: ToolContext): Promise<string> {
  const roots = await place.roots();
  return confinedTo(roots, async () => {
    const [cwd = ""] = roots;
    const files = await findFiles(roots, cwd, ["policies"], "silent");
    if (files.length === 0) return `This workspace has no ${POLICY_FILE}.`;
    const texts = files.map(
      async (file) => `File ${codeSpan(shownPath(file, cwd))}. ${fencedText("yaml", await readSource(file, cwd))}`,
    );
    return `${(await Promise.all(texts)).join("\n\n")}\n`;
  });
}

/** The pages are in `docs/`, next to `dist/` in a build and next to `cli/` in the sources. */
async function page(name: string): Promise<string> {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, "docs", name);
    if (existsSync(file)) return readText(file);
    if (folder === path.dirname(folder)) throw new Error(`docs/${name} isn't installed.`);
  }
}
