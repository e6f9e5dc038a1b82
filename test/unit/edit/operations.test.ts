import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyEdits,
  type EdgeModel,
  FlowDocument,
  type GraphNode,
  graphOf,
  type NodeBlock,
  type TextEdit,
} from "../../../flow";
import {
  addEdge,
  addNode,
  applyGraph,
  removeEdge,
  removeNode,
  renameNode,
  renameVariable,
  setTarget,
  setTop,
  setVariable,
} from "../../../flow/edit";

const flow = `# A small flow.
persona: Calm.   # how it speaks
entry: greet

context_variables:
  # Which plan.
  plan:
    type: string

nodes:
  # Says hello.
  greet:
    type: message
    instructions: Hello, {{plan}}.   # friendly
    # Order matters.
    edges:
      # The first.
      - to: ask
        when: asked   # often
      - {to: bye, label: none}

  ask:
    type: collect
    variable: plan
    edges:
      - to: bye
  bye:
    type: end
`;

/** The changed lines, `-` before and `+` after, in order; empty lines are left out, since they match anywhere. */
function check(edit: (document: FlowDocument) => readonly TextEdit[], expected: string, before = flow): void {
  const after = applyEdits(before, edit(FlowDocument.read(before)));
  assert.deepEqual(FlowDocument.read(after).problems, []);
  const [a, b] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < a.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const lines = [
    ...a.slice(head, a.length - tail).map((line) => `-${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+${line}`),
  ];
  const written = (all: readonly string[]) => all.filter((line) => line.length > 1);
  assert.deepEqual(written(lines), written(expected.split("\n")));
}

function changeNode(document: FlowDocument, id: string, fields: object): readonly TextEdit[] {
  const graph = graphOf(document);
  const node = { ...graph.nodes.get(id), ...fields } as GraphNode;
  return applyGraph(document, { ...graph, nodes: new Map(graph.nodes).set(id, node) });
}

test("a field changes in place and keeps its comment", () => {
  check(
    (d) => changeNode(d, "greet", { instructions: "Bye." }),
    `
-    instructions: Hello, {{plan}}.   # friendly
+    instructions: Bye.   # friendly`,
  );
});

test("multi-line text becomes a block literal, and its comment stays on the first line", () => {
  check(
    (d) => changeNode(d, "greet", { instructions: "One.\nTwo.\n" }),
    `
-    instructions: Hello, {{plan}}.   # friendly
+    instructions: | # friendly
+      One.
+      Two.`,
  );
});

test("text that would parse as another type is quoted", () => {
  check(
    (d) => changeNode(d, "bye", { name: "yes" }),
    `
+    name: "yes"`,
  );
});

test("removing a field removes only its line", () => {
  check(
    (d) => changeNode(d, "greet", { instructions: undefined }),
    `
-    instructions: Hello, {{plan}}.   # friendly`,
  );
});

test("a new node comes after its neighbor, in the same style", () => {
  check(
    (d) => addNode(d, { id: "thanks", type: "message", instructions: "Thanks." }, [{ target: "bye" }], "greet"),
    `
+
+  thanks:
+    type: message
+    instructions: Thanks.
+    edges:
+      - to: bye`,
  );
});

test("removing a node removes the edges to it", () => {
  check(
    (d) => removeNode(d, "ask"),
    `
-      # The first.
-      - to: ask
-        when: asked   # often
-      - {to: bye, label: none}
-
-  ask:
-    type: collect
-    variable: plan
-    edges:
-      - to: bye
+      # The first.
+      - {to: bye, label: none}
+`
      .replace("-      # The first.\n", "")
      .replace("+      # The first.\n", ""),
  );
});

test("a renamed node is renamed everywhere", () => {
  check(
    (d) => renameNode(d, "bye", "end"),
    `
-      - {to: bye, label: none}
-
-  ask:
-    type: collect
-    variable: plan
-    edges:
-      - to: bye
-  bye:
+      - {to: end, label: none}
+
+  ask:
+    type: collect
+    variable: plan
+    edges:
+      - to: end
+  end:`,
  );
  check(
    (d) => renameNode(d, "greet", "hello"),
    `
-entry: greet
+entry: hello`,
    "entry: greet\n",
  );
});

test("edges are added, removed and moved with their comments", () => {
  check(
    (d) => addEdge(d, "greet", { target: "bye", when: "tired" }, 1),
    `
+      - {to: bye, when: tired}`,
  );
  check(
    (d) => addEdge(d, "bye", { target: "greet" }),
    `
+    edges:
+      - to: greet`,
  );
  check(
    (d) => removeEdge(d, "greet", 0),
    `
-      - to: ask
-        when: asked   # often`,
  );
  check(
    (d) => removeEdge(d, "ask", 0),
    `
-    edges:
-      - to: bye`,
  );
});

test("an edge can point to another node", () => {
  const target = (d: FlowDocument, to: string) => {
    const node = d.node("greet") as NodeBlock;
    return setTarget(d, node, node.edges[0] as EdgeModel, to);
  };
  check(
    (d) => target(d, "bye"),
    `
-      - to: ask
+      - to: bye`,
  );
});

test("top-level text can be changed", () => {
  check(
    (d) => setTop(d, "persona", "Brisk.\nShort.\n"),
    `
-persona: Calm.   # how it speaks
+persona: | # how it speaks
+  Brisk.
+  Short.`,
  );
  check(
    (d) => setTop(d, "entry", undefined),
    `
-entry: greet`,
  );
  check(
    (d) => setTop(d, "entry", "a"),
    `
+entry: a`,
    "nodes:\n  a:\n    type: end\n",
  );
});

test("variables are added, changed, renamed and removed", () => {
  check(
    (d) => setVariable(d, { name: "age", type: "number", enum_values: ["1", "two"] }),
    `
+  age: {type: number, enum_values: ["1", two]}`.replace(
      '  age: {type: number, enum_values: ["1", two]}',
      '  age:\n+    type: number\n+    enum_values: ["1", two]',
    ),
  );
  check(
    (d) => setVariable(d, { name: "plan", type: "number" }),
    `
-    type: string
+    type: number`,
  );
  check(
    (d) => renameVariable(d, "plan", "tariff"),
    `
-  plan:
+  tariff:`,
    "context_variables:\n  plan:\n    type: string\n",
  );
  check(
    (d) => applyGraph(d, { ...graphOf(d), variables: new Map() }),
    `
-context_variables:
-  # Which plan.
-  plan:
-    type: string
-
`,
  );
});

test("component outputs are added to a file without any", () => {
  check(
    (d) => applyGraph(d, { ...graphOf(d), outputs: [{ name: "plan", value: "{{plan}}" }] }),
    `
+
+component_outputs:
+  - {name: plan, value: "{{plan}}"}`,
  );
});
