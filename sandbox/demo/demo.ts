/**
 * A realistic demo organization. Everything except its dates is the same on every start; the dates end today, so that
 * "the last 30 days" always has data.
 */
import { FlowDocument, type Graph, graphOf, locate, type SourceSpan, topText } from "../../flow";
import { CALL_ENDED_REASONS, type CallEndedReason, type CallingWorkflow } from "../../platform";
import { firstGraph } from "../assistants";
import { type CallPlan, planCall } from "../calling/life";
import { Chance, uuidOf } from "../chance";
import { type Clock, isoTime } from "../clock";
import type { SpendDay, SpendRecord } from "../storage/records";
import type { Change, Store } from "../storage/store";
import { linkedProgram, programById, programOfGraph } from "../talk/linked";
import { type SimulatedCall, simulateCall } from "../talk/simulate";
import { demoAssistant, demoFlow } from "./assistants";
import { demoEvents } from "./events";
import { person } from "./people";
import { demoReviews } from "./reviews";
import { demoWorkflows, LINKED_WORKFLOW } from "./workflows";

export interface DemoIds {
  readonly assistant: string;
  readonly revision: string;
  readonly archivedAssistant: string;
  /** An open review request. */
  readonly review: string;
}

/** Adds calls of the demo's linked workflow, spread over the last days. The same seed gives the same conversations. */
export function seedCalls(store: Store, clock: Clock, count: number, seed: string): void {
  const now = clock.now();
  const workflow = [...store.all("workflows")].find(({ name }) => name === LINKED_WORKFLOW);
  const program = workflow && linkedProgram(store, workflow, now);
  if (!workflow || !program) return;
  const changes = Array.from({ length: count }, (_, index): Change => {
    const own = `seed/${seed}/${index}`;
    const id = uuidOf(own);
    const who = person(new Chance(own));
    const talk = simulateCall(program, (part) => programById(store, part, now), { seed: own });
    const lead = { ...who, leadId: `seed-${index}`, primaryPhone: who.phone };
    const at = now - (count - index) * MINUTES_APART * 60_000;
    return {
      put: "calls",
      id,
      value: planCall({ id, workflow, lead, at, tag: "SINGLE", reason: "ENDED", seed: own, talk }),
    };
  });
  store.commit(changes);
}

const MINUTES_APART = 7;

/** Adds the demo to a store that doesn't have it. */
export function seedDemo(store: Store, clock: Clock, exampleText: (name: string) => string): DemoIds {
  const support = readExample(exampleText("support-line.flow.yaml"));
  const billing = readExample(exampleText("billing.flow.yaml"));
  const archived = uuidOf("demo/assistant/archived");
  const now = clock.now();
  const reviews = demoReviews(now);
  const ids: DemoIds = {
    assistant: support.assistant,
    revision: support.revision,
    archivedAssistant: archived,
    review: reviews[0]?.id ?? "",
  };
  if (store.get("assistants", support.assistant)) return ids;
  const assistants = [
    demoAssistant({
      id: support.assistant,
      revision: support.revision,
      name: "Support line",
      description: "Answers the support line: bills, outages, moves and cancellations.",
      now,
    }),
    demoAssistant({
      id: billing.assistant,
      revision: billing.revision,
      name: "Billing line",
      description: "A new assistant whose flow is still empty.",
      now,
    }),
    demoAssistant({
      id: archived,
      revision: uuidOf("demo/revision/archived"),
      name: "Holiday hotline",
      description: "Was used over the holidays and then archived.",
      now,
      archived: true,
    }),
  ];
  const workflows = demoWorkflows(now, support.assistant);
  const program = programOfGraph(support.graph);
  const calls = demoCalls(workflows, now, (seed) => simulateCall(program, () => undefined, { seed }));
  const changes: Change[] = [
    ...assistants.map((value): Change => ({ put: "assistants", id: value.assistant.id, value })),
    ...assistants.map((value): Change => {
      const flow = demoFlow(value.assistant, now);
      return { put: "flows", id: flow.id, value: flow };
    }),
    firstGraph(support.revision, support.graph, now),
    ...reviews.map((value): Change => ({ put: "reviews", id: value.id, value })),
    ...workflows.map((value): Change => ({ put: "workflows", id: value.id, value })),
    ...calls.map((value): Change => ({ put: "calls", id: value.id, value })),
    ...demoSpend(now).map((value): Change => ({ put: "spend", id: value.kb_id, value })),
    ...demoEvents.map((value): Change => ({ put: "events", id: value.type, value })),
  ];
  store.commit(changes);
  return ids;
}

/** The demo's flow is the example file, so that the example opens in sync. */
interface Example {
  readonly assistant: string;
  readonly revision: string;
  /** Each node has its location in the file. */
  readonly graph: Graph;
}

function readExample(text: string): Example {
  const document = FlowDocument.read(text);
  const graph = graphOf(document);
  const nodes = [...graph.nodes].map(([id, node]) => [id, { ...node, source_span: spanOfNode(document, id) }] as const);
  return {
    assistant: topText(document, "assistant") ?? "",
    revision: topText(document, "revision") ?? "",
    graph: { ...graph, nodes: new Map(nodes) },
  };
}

function spanOfNode(document: FlowDocument, id: string): SourceSpan {
  const span = locate(document, { kind: "node", id })?.span ?? { start: 0, end: 0 };
  const start = document.positionAt(span.start);
  const excerpt = document.slice(span).trimEnd();
  const end = document.positionAt(span.start + excerpt.length);
  return {
    start_line: start.line + 1,
    start_col: start.character + 1,
    end_line: end.line + 1,
    end_col: end.character + 1,
    raw_text_excerpt: excerpt,
  };
}

const MINUTE = 60_000;
const SPAN = 30 * 24 * 60;

/** `talk` is a conversation of the linked workflow's flow. */
function demoCalls(
  workflows: readonly CallingWorkflow[],
  now: number,
  talk: (seed: string) => SimulatedCall | undefined,
): CallPlan[] {
  return Array.from({ length: 300 }, (_, index) => {
    const chance = new Chance(`demo/call/${index}`);
    const who = person(chance);
    // Spread over the month with some jitter, oldest first; the newest call ended minutes ago.
    const age = Math.round(((300 - index) * SPAN) / 300) + chance.whole(0, 60);
    const id = `demo/call/${index}`;
    const workflow = chance.pick(workflows);
    const tag = chance.next() < 0.3 ? "SINGLE" : "ORIGINATION";
    const first = CALL_ENDED_REASONS[index];
    const reason = first ?? chance.pick(USUAL);
    const isLinked = first === undefined && workflow.name === LINKED_WORKFLOW && !UNANSWERED.has(reason);
    return planCall({
      id: uuidOf(id),
      workflow,
      lead: { ...who, leadId: `lead-${1000 + index}`, primaryPhone: who.phone },
      at: now - age * MINUTE,
      tag,
      reason,
      seed: `${id}/script`,
      talk: isLinked ? talk(id) : undefined,
    });
  });
}

/** The distribution of end reasons; the oldest dozen calls show each reason once. */
const USUAL: readonly CallEndedReason[] = [
  ...Array<CallEndedReason>(9).fill("ENDED"),
  ...Array<CallEndedReason>(4).fill("NO_ANSWER"),
  ...Array<CallEndedReason>(3).fill("LEFT_VOICEMAIL"),
  ...Array<CallEndedReason>(2).fill("NOT_INTERESTED"),
  ...Array<CallEndedReason>(2).fill("WARM_TRANSFER"),
  ...Array<CallEndedReason>(2).fill("CALL_AGAIN"),
  "SCHEDULER",
  "LINE_BUSY",
  "TEXT_CONSENT",
];

/** Calls without a conversation. */
const UNANSWERED: ReadonlySet<CallEndedReason> = new Set(["NO_ANSWER", "LEFT_VOICEMAIL", "LINE_BUSY"]);

const DAY = 86_400_000;
const USD_PER_TOKEN = 0.13 / 1_000_000;

/** A month of embedding spend of 40 knowledge bases, a few of which cost most of it. */
function demoSpend(now: number): SpendRecord[] {
  return Array.from({ length: 40 }, (_, index) => {
    const chance = new Chance(`demo/spend/${index}`);
    const weight = 1 / (index + 1);
    const days: SpendDay[] = [];
    for (let age = 29; age >= 0; age--) {
      const date = isoTime(now - age * DAY).slice(0, 10);
      const weekend = [0, 6].includes(new Date(now - age * DAY).getUTCDay());
      const queries = Math.ceil(weight * chance.whole(40_000, 64_000) * (weekend ? 0.4 : 1));
      days.push(day(date, "query", "text", queries, chance.whole(18, 40), chance));
      // Documents are re-embedded now and then, in large batches.
      if (chance.next() < 0.2)
        days.push(day(date, "ingest", "text", Math.ceil(weight * 14_000), chance.whole(700, 1400), chance));
      if (index % 7 === 0 && chance.next() < 0.15)
        days.push(day(date, "ingest", "image", Math.ceil(weight * 900), chance.whole(1500, 2500), chance));
    }
    return { kb_id: uuidOf(`demo/kb/${index + 1}`), days };
  });
}

function day(
  date: string,
  source: string,
  embedding_type: string,
  invocations: number,
  tokensEach: number,
  chance: Chance,
): SpendDay {
  const input_tokens = invocations * tokensEach;
  return {
    date,
    source,
    embedding_type,
    input_tokens,
    invocations,
    cost_usd: input_tokens * USD_PER_TOKEN,
    failed: chance.next() < 0.15 ? chance.whole(0, Math.ceil(invocations / 50)) : 0,
  };
}
