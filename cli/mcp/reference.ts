/** What an agent can read: the format on one page, a page for each rule, the policies of the workspace. */
import { existsSync } from "node:fs";
import path from "node:path";
import { confinedTo, readText } from "../../files";
import { POLICY_FILE, ruleCatalog } from "../../flow";
import { shownPath } from "../../suite";
import { codeSpan, fencedText } from "../../text";
import { findFiles, readSource } from "../flow-files";
import type { Offer, OfferedResource } from "./serve";
import type { Workplace } from "./tools";

const markdown = "text/markdown";

export function resourcesFor(place: Workplace): Offer["resources"] {
  const fixed: OfferedResource[] = [
    {
      uri: "assistant-flow://format",
      name: "The flow format",
      description: "One page from which a valid flow and its tests can be written.",
      mimeType: markdown,
    },
    {
      uri: "assistant-flow://policies",
      name: "Policies of the workspace",
      description: "What must hold on every path through the flows.",
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
        uriTemplate: "assistant-flow://rules/{code}",
        name: "Rule",
        description: "What a rule reports, why, and what to do.",
      },
    ],
    read: async (uri) => {
      if (uri === "assistant-flow://format") return { mimeType: markdown, text: await page("format.md") };
      if (uri === "assistant-flow://policies") return { mimeType: markdown, text: await policiesOf(place) };
      const rule = rules.find((each) => each.uri === uri);
      return rule && { mimeType: markdown, text: await page(`rules/${rule.name}.md`) };
    },
  };
}

async function policiesOf(place: Workplace): Promise<string> {
  const roots = await place.roots();
  return confinedTo(roots, async () => {
    const [cwd = ""] = roots;
    const files = await findFiles(roots, cwd, ["policies"], "silent");
    if (files.length === 0) return `There is no ${POLICY_FILE} in this workspace.`;
    const texts = files.map(
      async (file) => `The file ${codeSpan(shownPath(file, cwd))}. ${fencedText("yaml", await readSource(file, cwd))}`,
    );
    return `${(await Promise.all(texts)).join("\n\n")}\n`;
  });
}

/** The pages lie beside the program: next to `dist/` in a build, next to `cli/` in the sources. */
async function page(name: string): Promise<string> {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, "docs", name);
    if (existsSync(file)) return readText(file);
    if (folder === path.dirname(folder)) throw new Error(`The page docs/${name} isn't installed.`);
  }
}
