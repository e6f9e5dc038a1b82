/** Registers the Test Explorer for flows, and the commands for tests. */
import * as vscode from "vscode";
import type { ActiveFlow } from "../active-flow";
import type { Session } from "../connections";
import type { Server } from "../server";
import { registerCallTest } from "./call-test";
import { Coverage } from "./coverage";
import { registerCreateTest } from "./create-test";
import { debugTests } from "./debug-tests";
import { FlowTests } from "./flow-tests";
import { registerGoToTest } from "./go-to-test";
import { TestRuns } from "./runs";
import { TestServer } from "./test-server";
import { TestTree } from "./tree";

export type { CoveredFlow, FlowTests } from "./flow-tests";

export function registerTesting(
  context: vscode.ExtensionContext,
  server: Server,
  session: Session,
  activeFlow: ActiveFlow,
  log: vscode.LogOutputChannel,
): FlowTests {
  const controller = vscode.tests.createTestController("assistantFlow.tests", "Assistant Flow");
  const tests = new TestServer(server);
  const failed = (error: unknown) => log.error("Couldn't list the tests.", error as Error);
  const tree = new TestTree(controller, tests, failed);
  context.subscriptions.push(controller, tree);
  const { Run, Debug, Coverage: Covered } = vscode.TestRunProfileKind;
  controller.createRunProfile(
    vscode.l10n.t("Run"),
    Run,
    new TestRuns(controller, tree, tests, undefined).run,
    true,
    undefined,
    true,
  );
  controller.createRunProfile(
    vscode.l10n.t("Debug"),
    Debug,
    (request, token) => debugTests(controller, request, token),
    true,
  );
  const covered = controller.createRunProfile(
    vscode.l10n.t("Run with Coverage"),
    Covered,
    () => undefined,
    true,
    undefined,
    true,
  );
  covered.runHandler = new TestRuns(controller, tree, tests, new Coverage(covered)).run;
  registerCreateTest(context, server, tests, activeFlow);
  registerCallTest(context, session, server, tests);
  const flowTests = new FlowTests(tree, tests);
  registerGoToTest(context, server, flowTests);
  return flowTests;
}
