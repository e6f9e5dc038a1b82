/** The face of `sandbox/`: the local platform. Other folders import only from here. */
export { COMPILE_BEHAVIORS, type CompileBehavior, MISMATCH_BEHAVIORS, type MismatchBehavior } from "./assistants";
export { NORMAL_FORMS, type NormalForm } from "./normalize";
export { OPTIONAL_PARTS, type OptionalPart, type Sandbox, type SandboxOptions, startSandbox } from "./sandbox";
export { DirectoryInUse } from "./storage/lock";
