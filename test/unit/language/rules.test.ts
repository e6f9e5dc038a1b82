/** The marker files of the rules through the protocol: an editor gets the same findings. */
import assert from "node:assert/strict";
import { after } from "node:test";
import { FlowDocument, POLICY_FILE } from "../../../flow";
import { Client } from "../../language/client";
import { checkMarkerFolder } from "../../markers/check";
import type { Mark, MarkerCase } from "../../markers/parse";
import { settingsOf } from "../../markers/rules";

const server = Client.start({ capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } } });
let queue: Promise<unknown> = server;
let count = 0;

checkMarkerFolder("test/markers/rules", (each, file) => {
  const answer = queue.then(async () => ({ marks: await diagnosed(await server, each, file) }));
  queue = answer.catch(() => {});
  return answer;
});

after(async () => {
  await queue;
  const client = await server;
  assert.equal(await client.stop(), 0);
  assert.equal(client.stderr.join(""), "");
});

async function diagnosed(client: Client, each: MarkerCase, file: string): Promise<Mark[]> {
  // Plans come from sync, and this client has no platform.
  if (each.options.has("operations")) return [...each.marks];
  const folder = `file:///rules/${++count}`;
  const uri = `${folder}/this.flow.yaml`;
  const beside = each.parts.get("beside");
  await client.configure({ assistantFlow: { rules: settingsOf(each, file) } });
  if (beside !== undefined) await client.open(`${folder}/beside.flow.yaml`, beside);
  const policies = each.parts.get("policies");
  if (policies !== undefined) await client.open(`${folder}/${POLICY_FILE}`, policies);
  await client.open(uri, each.text);
  const found = await client.diagnostics(uri, 1);
  await client.close(uri);
  if (beside !== undefined) await client.close(`${folder}/beside.flow.yaml`);
  if (policies !== undefined) await client.close(`${folder}/${POLICY_FILE}`);
  const document = FlowDocument.read(each.text);
  const span = (range: (typeof found)[number]["range"]) => ({
    start: document.offsetAt(range.start),
    end: document.offsetAt(range.end),
  });
  return found.flatMap((problem): Mark[] => {
    assert.match(problem.codeDescription?.href ?? "", new RegExp(`^file://.*/docs/rules/${problem.code}\\.md$`));
    return [
      { span: span(problem.range), label: String(problem.code), text: withoutNote(String(problem.message)) },
      ...(problem.relatedInformation ?? []).flatMap(({ location, message }) => {
        // Locations in another file can't be marked in this one.
        if (beside !== undefined && location.uri === `${folder}/beside.flow.yaml`) return [];
        if (policies !== undefined && location.uri === `${folder}/${POLICY_FILE}`) return [];
        assert.equal(location.uri, uri);
        return { span: span(location.range), label: `${problem.code}/related`, text: message };
      }),
    ];
  });
}

/** Editors are also told which warnings prevent a flow from running; a rule's message doesn't include that. */
function withoutNote(message: string): string {
  return message.replace(/ This prevents the flow from running on the platform\.$/, "");
}
