/** The cases of the rules' marker files, each under its own file name: flows with every kind of finding. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseMarkers } from "../markers/parse";

export function flowsOfMarkers(): { readonly name: string; readonly text: string }[] {
  const folder = join(__dirname, "../markers/rules");
  return readdirSync(folder)
    .filter((name) => /\.flow\.ya?ml$/.test(name))
    .flatMap((name) =>
      parseMarkers(readFileSync(join(folder, name), "utf8")).cases.map(({ text }, index) => ({
        name: name.replace(/\.flow\.ya?ml$/, `-${index + 1}.flow.yaml`),
        text,
      })),
    );
}
