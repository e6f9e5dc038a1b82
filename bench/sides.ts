/** The two language servers to compare, under the same Node and with the same schema. */
import { existsSync } from "node:fs";
import path from "node:path";
import { inProject } from "../scripts/project";
import { ensurePackage, installedNode } from "../scripts/vscode/install";
import { serverNodeOptions } from "../server/messages";

export interface Side {
  readonly name: string;
  readonly node: string;
  readonly args: readonly string[];
  readonly settings: unknown;
  /** A fixed delay that is subtracted from the time to diagnostics. */
  readonly debounce: number;
  /** How often something is measured, how often it runs before that, and how many fresh servers open the file. */
  counts(size: number): { readonly rounds: number; readonly warm: number; readonly opens: number };
}

export const PEER = { name: "yaml-language-server", version: "2.0.0" };

export async function ourSide(): Promise<Side> {
  return {
    name: "Assistant Flow",
    node: await installedNode(),
    args: [...serverNodeOptions, inProject("dist/server.js"), "--stdio"],
    settings: {},
    debounce: 0,
    counts: () => ({ rounds: 200, warm: 100, opens: 7 }),
  };
}

export async function peerSide(): Promise<Side> {
  const folder = await ensurePackage(PEER.name, PEER.version);
  const schema = inProject("schemas/assistant-flow.schema.json");
  // Without its schema, the peer would do less work.
  if (!existsSync(schema)) throw new Error(`There is no ${schema}, which ${PEER.name} is to be given.`);
  const yaml = {
    validate: true,
    hover: true,
    completion: true,
    schemaStore: { enable: false },
    schemas: { [`file://${schema}`]: ["*.flow.yaml"] },
  };
  return {
    name: PEER.name,
    node: await installedNode(),
    args: [path.join(folder, "node_modules", PEER.name, "bin", PEER.name), "--stdio"],
    settings: { yaml },
    debounce: 200,
    counts: (size) =>
      size >= 10_000
        ? { rounds: 3, warm: 1, opens: 1 }
        : size >= 2000
          ? { rounds: 6, warm: 2, opens: 3 }
          : { rounds: 20, warm: 2, opens: 3 },
  };
}
