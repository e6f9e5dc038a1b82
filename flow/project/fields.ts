/** Every key of a project file. */
import type { FileKey } from "../file-keys";

export const projectKeys = {
  file: [
    { name: "default", doc: "The environment that is used where no other is chosen." },
    { name: "environments", doc: "The platforms of this project, by name.", required: true },
  ],
  environment: [
    { name: "url", doc: "The URL of the platform. API keys are never part of this file.", required: true },
    { name: "calling_url", doc: "The URL of outbound calling, if this environment has one." },
    {
      name: "protected",
      doc: "If true, this environment is changed only by `promote`. A save or push to it is rejected.",
    },
    {
      name: "flows",
      doc: "The flows of this environment: the path of each file, relative to the project file, with its assistant and revision.",
    },
    {
      name: "names",
      doc: "Values that differ between environments. A flow uses one as `$name` in `tool`, `component`, `destination` and knowledge base IDs.",
    },
  ],
  flow: [
    { name: "assistant", doc: "The ID of the assistant in this environment.", required: true },
    { name: "revision", doc: "The ID of the assistant's revision in this environment.", required: true },
  ],
} as const satisfies Readonly<Record<string, readonly FileKey[]>>;
