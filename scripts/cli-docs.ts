/** Writes docs/cli.md from the command definitions. */
import { writeFileSync } from "node:fs";
import { reference } from "../cli/definitions/reference-page";
import { inProject } from "./project";

export async function main(): Promise<void> {
  writeFileSync(inProject("docs/cli.md"), reference());
}
