/** With the local sandbox, a new user has the IDs of its demo at hand: the platform can't list assistants. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { freeDemoLink, SANDBOX } from "../../../client/connections/sandbox-connection";
import type { Session } from "../../../client/connections/session";
import { temporaryId } from "../../../client/connections/store";
import { linkOf } from "../../../client/views/flows/link";
import { inProject } from "../../../scripts/project";

const over = (id: string | undefined, isUsed: (revision: string) => boolean = () => false) =>
  freeDemoLink({ connection: id && { id } } as unknown as Session, isUsed);

test("the IDs of the demo are offered for the sandbox only", () => {
  const demo = linkOf(readFileSync(inProject("examples/support-line.flow.yaml"), "utf8"));
  assert.deepEqual(over(temporaryId(SANDBOX)), demo);
  assert.deepEqual(over("staging"), {});
  assert.deepEqual(over(undefined), {});
  const second = linkOf(readFileSync(inProject("examples/billing.flow.yaml"), "utf8"));
  assert.deepEqual(
    over(temporaryId(SANDBOX), (revision) => revision === demo.revision),
    second,
  );
  assert.deepEqual(
    over(temporaryId(SANDBOX), () => true),
    {},
  );
});
