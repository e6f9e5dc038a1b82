import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Trouble } from "../flow/debug";

export const troubleNames: readonly Trouble[] = ["unset", "stuck", "endless"];

export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsStepBack: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsRestartFrame: true,
  supportsGotoTargetsRequest: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: [" ", "{"],
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  supportsExceptionInfoRequest: true,
  supportsBreakpointLocationsRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsClipboardContext: true,
  exceptionBreakpointFilters: [
    {
      filter: "unset",
      label: "Reading an Unset Variable",
      description: "Stop when a node reads a variable without a value.",
      default: true,
    },
    { filter: "stuck", label: "Stuck", description: "Stop when no edge can be taken.", default: true },
    {
      filter: "endless",
      label: "Endless Run",
      description: "Stop after more than 10,000 nodes.",
      default: true,
    },
  ],
};
