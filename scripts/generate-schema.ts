// Writes schemas/ from the field tables: node --import tsx scripts/generate-schema.ts
import { writeFileSync } from "node:fs";
import { flowSchema } from "../flow";
import { policySchema } from "../flow/policy";
import { projectSchema } from "../flow/project";
import { testSchema } from "../flow/test";

writeFileSync("schemas/assistant-flow.schema.json", `${JSON.stringify(flowSchema(), null, 2)}\n`);
writeFileSync("schemas/assistant-flow-test.schema.json", `${JSON.stringify(testSchema(), null, 2)}\n`);
writeFileSync("schemas/assistant-flow-policies.schema.json", `${JSON.stringify(policySchema(), null, 2)}\n`);
writeFileSync("schemas/assistant-flow-project.schema.json", `${JSON.stringify(projectSchema(), null, 2)}\n`);
