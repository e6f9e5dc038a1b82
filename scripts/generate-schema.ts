// Writes schemas/assistant-flow.schema.json from the field table: node --import tsx scripts/generate-schema.ts
import { writeFileSync } from "node:fs";
import { flowSchema } from "../flow";

writeFileSync("schemas/assistant-flow.schema.json", `${JSON.stringify(flowSchema(), null, 2)}\n`);
