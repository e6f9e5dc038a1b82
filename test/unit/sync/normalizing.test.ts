/** The real sandbox with normalization, over HTTP: sync settles, and the file stays as written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NORMAL_FORMS, type NormalForm, startSandbox } from "../../../sandbox";
import { Desk } from "./desk";

const ways: readonly (readonly NormalForm[])[] = [...NORMAL_FORMS.map((form) => [form] as const), NORMAL_FORMS];

for (const normalize of ways)
  test(`a save comes to rest on a platform that normalizes: ${normalize.join(", ")}`, async () => {
    const sandbox = await startSandbox({ demo: true, clockSpeed: 200, normalize });
    const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
    const desk = new Desk(sandbox, { assistant, revision });
    try {
      const text = `assistant: ${assistant}
revision: ${revision}
entry: start
context_variables:
  mood: {type: string, enum_values: [sad, glad]}
nodes:
  start:
    type: message
    name: Start
    instructions: Say hello.
    note: mine # kept
    max_attempts: "3"
    edges:
      - {id: z, to: done, when: they leave}
      - {id: a, to: middle}
  middle:
    type: message
    instructions: Go on.
    edges: [{to: done}]
  done: {type: end, name: Done}
`;
      let posts = 0;
      desk.travel = async (send, isBatch) => {
        if (isBatch) posts++;
        return send();
      };
      const save = async (next: string, batches: number) => {
        posts = 0;
        const { state } = await desk.save(next);
        assert.equal(state.kind, "synced", JSON.stringify(state));
        assert.equal(desk.text, next, "the file stays as it is written");
        assert.ok(posts <= batches + 1, `${posts} batches`);
      };
      await save(text, 1);
      await save(`${text}# a comment\n`, 0);
      assert.equal(posts, 0, "there is nothing to say");
      await save(text.replace("Say hello.", "Say hello again."), 1);
      await save(text.replace("note: mine", "note: ours"), 1);
      await save(text.replace("    note: mine # kept\n", ""), 1);
      await save(text, 1);
      if (normalize.includes("drop"))
        assert.ok(desk.sync.notKept.some((at) => at.kind === "node" && at.field === "note"));
      if (normalize.includes("sort"))
        assert.ok(desk.sync.notKept.some((at) => at.kind === "node" && at.field === "edges"));

      // Another user's edit of a normalized field is merged, and nothing else is.
      await desk.remotely({ op: "update_node_fields", node_id: "middle", fields: { instructions: "Theirs." } });
      assert.equal((await desk.sync.look()).state.kind, "diverged");
      assert.equal((await desk.edit("Say hello.", "Say hi.")).state.kind, "synced");
      assert.equal(desk.text, text.replace("Say hello.", "Say hi.").replace("Go on.", "Theirs."));

      // After a restart nothing is sent and nothing differs.
      await desk.sync.close();
      posts = 0;
      desk.sync = desk.open("later");
      await save(desk.text, 0);
      assert.equal(posts, 0);

      // The platform's additions are pulled on request, and fields that it doesn't store stay.
      const before = desk.text;
      assert.equal((await desk.sync.pull()).state.kind, "synced");
      if (normalize.includes("defaults")) assert.match(desk.text, /timeout: 30/);
      else if (!normalize.includes("rename")) assert.equal(desk.text, before);
      assert.match(desk.text, /note: mine # kept/);
      await save(desk.text, 0);
      assert.equal(posts, 0);
    } finally {
      await desk.close();
      await sandbox.stop();
    }
  });
