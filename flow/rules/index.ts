/** Every rule, in the order of the documentation. */
import { ambiguousScalar } from "./ambiguous-scalar";
import { batchNeedsChaining } from "./batch-needs-chaining";
import { componentOfItself, unknownComponentInput, unknownComponentOutput } from "./components";
import { conditionNeverTrue } from "./condition-never-true";
import { deadEnd } from "./dead-end";
import { duplicateEdge } from "./duplicate-edge";
import { duplicateEnumValue } from "./duplicate-enum-value";
import { duplicateIdCase } from "./duplicate-id-case";
import { duplicateInstructions } from "./duplicate-instructions";
import { duplicateKey } from "./duplicate-key";
import { duplicateOutput } from "./duplicate-output";
import { edgeFromTerminal } from "./edge-from-terminal";
import { emptyCondition } from "./empty-condition";
import { emptyFlow } from "./empty-flow";
import { emptyInstructions } from "./empty-instructions";
import { endlessLoop } from "./endless-loop";
import type { Rule, Severity } from "./engine/rule";
import { enumLiteralMismatch } from "./enum-literal-mismatch";
import { enumValueUnhandled } from "./enum-value-unhandled";
import { foreignId } from "./foreign-id";
import { hardcodedPhone } from "./hardcoded-phone";
import { hardcodedSecret } from "./hardcoded-secret";
import { inlineCommentInText } from "./inline-comment-in-text";
import { instructionsTooLong } from "./instructions-too-long";
import { invalidId } from "./invalid-id";
import { invalidUuid } from "./invalid-uuid";
import { limit } from "./limit";
import { literalForName } from "./literal-for-name";
import { malformedPath } from "./malformed-path";
import { malformedTemplate } from "./malformed-template";
import { mayBeUnset } from "./may-be-unset";
import { missingComponentOutput } from "./missing-component-output";
import { missingDefault } from "./missing-default";
import { missingEntry } from "./missing-entry";
import { missingField } from "./missing-field";
import { missingToolInput } from "./missing-tool-input";
import { nameWhitespace } from "./name-whitespace";
import { nearMissField } from "./near-miss-field";
import { nearMissType } from "./near-miss-type";
import { nearMissValue } from "./near-miss-value";
import { noPathToEnd } from "./no-path-to-end";
import { notSent } from "./not-sent";
import { onAndWhen } from "./on-and-when";
import { policyBroken } from "./policy-broken";
import { revisionClaimedTwice } from "./revision-claimed-twice";
import { selfLoopWithoutCondition } from "./self-loop-without-condition";
import { shadowedEdge } from "./shadowed-edge";
import { smartQuotes } from "./smart-quotes";
import { staleToolInput } from "./stale-tool-input";
import { toolIncompatible } from "./tool-incompatible";
import { toolInputType } from "./tool-input-type";
import { toolWithoutErrorEdge } from "./tool-without-error-edge";
import { undefinedVariable } from "./undefined-variable";
import { unknownEntry } from "./unknown-entry";
import { unknownIgnore } from "./unknown-ignore";
import { unknownName } from "./unknown-name";
import { unknownOutputVariable } from "./unknown-output-variable";
import { unknownTarget } from "./unknown-target";
import { unknownTool } from "./unknown-tool";
import { unknownToolInput } from "./unknown-tool-input";
import { unknownToolOutput } from "./unknown-tool-output";
import { unreachableNode } from "./unreachable-node";
import { unusedVariable } from "./unused-variable";
import { wrongType } from "./wrong-type";
import { yamlSyntax } from "./yaml-syntax";

/** The rules by topic. */
export const ruleGroups: readonly { readonly title: string; readonly rules: readonly Rule[] }[] = [
  {
    title: "Structure",
    rules: [
      yamlSyntax,
      duplicateKey,
      limit,
      missingEntry,
      unknownEntry,
      emptyFlow,
      duplicateIdCase,
      invalidId,
      invalidUuid,
      wrongType,
      missingField,
      nearMissField,
      nearMissType,
      nearMissValue,
      notSent,
      smartQuotes,
      unknownIgnore,
      inlineCommentInText,
      ambiguousScalar,
      nameWhitespace,
    ],
  },
  {
    title: "Graph",
    rules: [
      unknownTarget,
      unreachableNode,
      deadEnd,
      edgeFromTerminal,
      noPathToEnd,
      duplicateEdge,
      shadowedEdge,
      missingDefault,
      emptyCondition,
      onAndWhen,
      selfLoopWithoutCondition,
      endlessLoop,
    ],
  },
  {
    title: "Variables",
    rules: [
      undefinedVariable,
      unusedVariable,
      malformedTemplate,
      duplicateEnumValue,
      mayBeUnset,
      enumLiteralMismatch,
      enumValueUnhandled,
      conditionNeverTrue,
    ],
  },
  {
    title: "Tools and components",
    rules: [
      toolWithoutErrorEdge,
      unknownTool,
      missingToolInput,
      unknownToolInput,
      toolInputType,
      unknownToolOutput,
      staleToolInput,
      toolIncompatible,
      malformedPath,
      missingComponentOutput,
      duplicateOutput,
      unknownOutputVariable,
      componentOfItself,
      unknownComponentInput,
      unknownComponentOutput,
    ],
  },
  {
    title: "Prompts",
    rules: [emptyInstructions, instructionsTooLong, duplicateInstructions, hardcodedPhone, hardcodedSecret],
  },
  {
    title: "Workspace",
    rules: [revisionClaimedTwice, batchNeedsChaining, policyBroken, unknownName, foreignId, literalForName],
  },
];

export const rules: readonly Rule[] = ruleGroups.flatMap((group) => group.rules);

/** The facts about each rule for settings pages and the extension's manifest. */
export const ruleCatalog: readonly { readonly code: string; readonly severity: Severity; readonly title: string }[] =
  rules.map(({ code, severity, title }) => ({ code, severity, title }));

/** The URL of the page that explains a rule, in the installation folder, which includes the pages. */
export function ruleDocUrl(code: string, installed: string): string {
  return `${installed.replace(/\/$/, "")}/docs/rules/${code}.md`;
}
