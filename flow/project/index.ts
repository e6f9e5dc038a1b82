/** The project file: environments, and names instead of IDs. */
export { checkNames } from "./check-names";
export { projectProblems } from "./check-project";
export { componentIn, writtenFor } from "./components";
export {
  environmentNamed,
  environmentsOf,
  environmentWith,
  type FlowEnvironment,
  flowIn,
} from "./environments";
export { projectKeys } from "./fields";
export { projectSchema } from "./json-schema";
export { NAMED_FIELDS, resolveNames, restoreNames } from "./names";
export {
  type Environment,
  keyVariable,
  type ProjectFile,
  type ProjectProblem,
  readProjectFile,
  variablePart,
} from "./project-file";
export { type NameUse, usesInCompanion, usesInFlow } from "./uses";
