/** Every message from a host to each page, and a flow file, with each string replaced by a hostile one. */

/** Replaces every string in a message, and adds a field with such a name to every record. The message's kind stays. */
export function poisoned(message: object, payload: string): unknown {
  const replace = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return ["type", "request_type", "kind"].includes(key) ? value : payload;
    if (Array.isArray(value)) return value.map((each) => replace(each));
    if (typeof value !== "object" || value === null) return value;
    const record = Object.entries(value).map(([name, each]) => [name, replace(each, name)] as const);
    const added = ["variables", "customerMetadata", "evidence", "fields"].includes(key) ? [[payload, payload]] : [];
    return Object.fromEntries([...record, ...added]);
  };
  return replace(message);
}

export const graphMessage = {
  type: "graph",
  uri: "u",
  title: "t",
  locked: false,
  other: { name: "o", key: "k" },
  view: {
    comparison: {
      changes: ["added", "moved"].map((kind) => ({ kind, what: "w", id: "i", label: "l", fields: ["f"] })),
    },
    version: 1,
    entry: "a",
    broken: false,
    compared: true,
    nodes: ["added", "changed"].map((id) => ({
      ...{ id, type: "message", name: "n", text: "t", terminal: false, errors: 1, warnings: 0, hints: 0 },
      ...{ sets: ["v"], reads: ["w"], change: "added" },
    })),
    edges: [
      { id: "e", source: "a", target: "b", kind: "when", label: "l", dangling: true, change: "changed" },
      { id: "f", source: "a", target: "a", kind: "on", label: "l", dangling: false, change: undefined },
    ],
  },
};

export const callMessage = {
  type: "call",
  live: true,
  workflow: "w",
  links: [{ turn: 0, uri: "u", node: "n", why: "w" }],
  call: {
    ...{ id: "i", firstName: "f", lastName: "l", phone: "p", email: "e", summary: "s", recordingUrl: "r" },
    ...{ workflowId: "w", workflowExecutionId: "x", status: "s", callStartedAt: "d", callEndedReason: "r" },
    ...{ callDuration: 5, outbound: true, callEndedBy: "USER", disclosures: ["d"], tag: "t", customerLeadId: "c" },
    transcript: [{ id: 1, created_at: "d", text: "t", user: "u" }],
    variables: { a: "b", deep: { c: ["d"] } },
    customerMetadata: { a: "b" },
  },
};

export const reviewMessage = {
  type: "review",
  standing: "resolved",
  note: "n",
  review: {
    ...{ id: "i", request_type: "merge", status: "s", reason: "r", created_at: "d", resolved_at: "d" },
    ...{ left_end_user_id: "l", right_end_user_id: "r", suggested_survivor_end_user_id: "l", target_end_user_id: "t" },
    ...{ proposed_identifier_type: "p", proposed_masked_value: "v", trigger_identifier_type: "p" },
    ...{ trigger_masked_value: "m", resolution_note: "n" },
    evidence: { left: { name: "n" }, right: { name: "m" }, list: ["a"], deep: { b: "c" } },
  },
};

export const spendMessage = {
  type: "rows",
  request: "r",
  rows: [1, 2].map((n) => ({ kb_id: "k", total_cost_usd: n, input_tokens: n, invocations: n, failed: 0 })),
};

export function hostileFlow(texts: readonly string[]): string {
  const quoted = (text: string) => JSON.stringify(text.replaceAll("\u0000", ""));
  const nodes = texts.map(
    (text, index) =>
      `  n${index}:\n    type: ${quoted(index % 4 === 3 ? text : "message")}\n    name: ${quoted(text)}\n    instructions: ${quoted(text)}\n    edges:\n      - {to: n${(index + 1) % texts.length}, when: ${quoted(text)}, label: ${quoted(text)}}\n`,
  );
  return `entry: n0\nnodes:\n${nodes.join("")}`;
}
