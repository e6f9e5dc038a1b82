/** The entry point of `sandbox/`, the local platform. */
export { COMPILE_BEHAVIORS, type CompileBehavior, MISMATCH_BEHAVIORS, type MismatchBehavior } from "./assistants";
export { OPTIONAL_PARTS, type OptionalPart } from "./backend";
export { NORMAL_FORMS, type NormalForm } from "./normalize";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox";
export { DirectoryInUse } from "./storage/lock";
export { CALLER_KINDS, simulateCall } from "./talk/simulate";
