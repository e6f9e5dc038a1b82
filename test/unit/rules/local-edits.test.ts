/**
 * Counts what an edit costs in flows of two sizes with many findings. A larger flow may cost more only in the analysis
 * of the graph, which runs once after an edit of an edge.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Diagnostic } from "vscode-languageserver";
import { flowOf, placesIn } from "../../../bench/flows";
import { type DiagnosticPlace, type FlowDiagnostic, FlowDocument } from "../../../flow";
import { Checker } from "../../../flow/rules/engine/engine";
import type { Rule } from "../../../flow/rules/engine/rule";
import { rules } from "../../../flow/rules/index";
import { DiagnosticList } from "../../../server/diagnostics/diagnostic-list";
import { Converter } from "../../../server/protocol/to-protocol";

interface Counts {
  /** Blocks that were parsed. */
  blocks: number;
  /** Calls of rules about one block, and about the graph. */
  blockRules: number;
  graphRules: number;
  /** Diagnostics that were created, and converted for the client. */
  created: number;
  converted: number;
}

const none: Counts = { blocks: 0, blockRules: 0, graphRules: 0, created: 0, converted: 0 };

/** The rules, which count their calls. */
function counting(counts: Counts): Rule[] {
  return rules.map((rule) => ({
    ...rule,
    ...(rule.checkBlock && {
      checkBlock: (...args) => {
        counts.blockRules++;
        rule.checkBlock?.(...args);
      },
    }),
    ...(rule.checkField && {
      checkField: {
        concerns: rule.checkField.concerns,
        check: (...args) => {
          counts.blockRules++;
          rule.checkField?.check(...args);
        },
      },
    }),
    ...(rule.checkDeclared && {
      checkDeclared: (...args) => {
        counts.blockRules++;
        rule.checkDeclared?.(...args);
      },
    }),
    ...(rule.groupBy && {
      groupBy: (node) => {
        counts.blockRules++;
        return rule.groupBy?.(node);
      },
    }),
    ...(rule.checkGraph && {
      checkGraph: (...args) => {
        counts.graphRules++;
        rule.checkGraph?.(...args);
      },
    }),
  }));
}

class CountingConverter extends Converter {
  constructor(
    document: FlowDocument,
    private readonly counts: Counts,
  ) {
    super("file:///a.flow.yaml", document, "utf-16");
  }

  override diagnosticOf(found: FlowDiagnostic, related: readonly DiagnosticPlace[], page?: string): Diagnostic {
    this.counts.converted++;
    return super.diagnosticOf(found, related, page);
  }
}

const EDITS = 40;

/** The counts of some edits, without those of opening the flow. */
function countsOf(nodes: number, kind: "words" | "target"): Counts {
  const text = flowOf(nodes, "many findings");
  const document = FlowDocument.read(text);
  const counts = { ...none };
  const checker = new Checker(document, counting(counts));
  const settings = {};
  const list = new DiagnosticList(true, () => undefined);
  const update = () => {
    const found = checker.diagnostics(settings);
    list.update({ around: [], found, notes: [], findings: [] }, new CountingConverter(document, counts));
    return { found: new Set(found), blocks: new Set(document.blocks) };
  };
  let before = update();
  Object.assign(counts, none);
  for (let edit = 0; edit < EDITS; edit++) {
    // The same nodes in both flows.
    const at = placesIn(text, 100 + 7 * edit)[kind];
    const changed = kind === "words" ? "w" : String((Number(text[at]) + 1) % 10);
    document.edit([{ start: at, end: at + 1, text: changed }]);
    const now = update();
    for (const block of now.blocks) if (!before.blocks.has(block)) counts.blocks++;
    for (const each of now.found) if (!before.found.has(each)) counts.created++;
    before = now;
  }
  return counts;
}

for (const [kind, what] of [
  ["words", "words"],
  ["target", "an edge"],
] as const)
  test(`an edit of ${what} parses one block, and does as much work in a flow of 2,000 nodes as in one of 500`, () => {
    const [small, large] = [countsOf(500, kind), countsOf(2000, kind)];
    const graphRules = kind === "words" ? 0 : EDITS * rules.filter((rule) => rule.checkGraph).length;
    for (const counts of [small, large]) {
      assert.equal(counts.blocks, EDITS);
      assert.equal(counts.graphRules, graphRules);
      // The edited node has two findings, and few edits of an edge concern others.
      assert.ok(counts.created <= 3 * EDITS && counts.converted <= 3 * EDITS, JSON.stringify(counts));
    }
    assert.ok(small.blockRules > 0);
    assert.equal(large.blockRules, small.blockRules);
    // A client shows at most 1,000 diagnostics of the large flow, so fewer of the changed ones are converted there.
    assert.equal(large.created, small.created);
    assert.ok(large.converted <= small.converted, `${large.converted} and ${small.converted}`);
  });
