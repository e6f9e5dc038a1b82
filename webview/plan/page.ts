/** The plan page: what a push would change, old → new, with links to the lines and the choices of an open question. */

import type { FromPlanPage, ToPlanPage } from "../../client/pages/messages";
import { differingValues, NONE, type Part } from "../page/differing";
import { button, html, replaceChildren } from "../page/dom";
import { connect } from "../page/host";
import { t } from "../page/l10n";
import { redraw } from "../page/redraw";

type Plan = NonNullable<ToPlanPage["plan"]>;
type Line = Plan["lines"][number];

const host = connect<ToPlanPage, FromPlanPage, { uri: string }>();
const head = html("header");
const list = html("main");
const announcer = html("p", { class: "announcer", role: "status" });
document.body.append(head, list, announcer);

host.onMessage((message) => {
  host.keep({ uri: message.uri });
  redraw(head, () => showHead(message));
  redraw(list, () => showLines(message.plan));
});
host.send({ type: "ready" });

function showHead({ name, question, choices, plan, reason }: ToPlanPage): void {
  const summary = plan?.summary ?? reason ?? t("No platform state yet. Connect, then save or pull this file.");
  if (announcer.textContent !== summary) announcer.textContent = summary;
  const answered = plan?.asks ? { answered: plan.asks.fingerprint } : {};
  replaceChildren(
    head,
    html("h1", {}, name),
    html("p", { class: "summary" }, summary),
    question !== undefined && html("p", { class: "question" }, question),
    html(
      "div",
      { class: "actions" },
      choices.map((choice, index) =>
        button(
          choice,
          () => host.send({ type: "choose", choice, ...answered }),
          index === 0 ? { class: "primary" } : {},
        ),
      ),
      button(t("Compare Graphs"), () => host.send({ type: "run", command: "compareGraphs" })),
      button(t("Compare with Platform"), () => host.send({ type: "run", command: "compareWithPlatform" })),
      button(t("Show as JSON"), () => host.send({ type: "run", command: "planAsJson" })),
    ),
  );
}

function showLines(plan: Plan | undefined): void {
  const batches = new Map<number, Line[]>();
  const lines = (plan?.lines ?? []).filter(({ isHalf }) => !isHalf);
  for (const line of lines) batches.set(line.batch, [...(batches.get(line.batch) ?? []), line]);
  replaceChildren(
    list,
    plan?.blocking !== undefined && plan.blocking.length > 0 && blocking(plan.blocking),
    (plan?.renames ?? []).map(({ from, to }) => html("p", { class: "rename" }, t("Renamed: {0} → {1}", from, to))),
    [...batches].flatMap(([batch, lines]) => [
      batches.size > 1 && html("h2", {}, t("Batch {0} of {1}", batch, plan?.batches)),
      html("ul", {}, lines.map(row)),
    ]),
  );
}

/** More would push the changes out of sight; the list of problems has all. */
const MAX_BLOCKING = 5;

/** What prevents the flow from running on the platform after the push. */
function blocking(problems: NonNullable<Plan["blocking"]>): HTMLElement {
  const rows = problems.slice(0, MAX_BLOCKING).map(({ text, range }) =>
    html(
      "li",
      {},
      button(text, () => host.send({ type: "go", range }), { class: "go" }),
    ),
  );
  const more = problems.length - rows.length;
  const heading = html("h2", {}, t("Prevents the flow from running on the platform"));
  return html(
    "section",
    { class: "blocking" },
    heading,
    html("ul", {}, rows),
    more > 0 && html("p", {}, t("{0} more", more)),
  );
}

/** Old → new, with differing words marked. */
function change(before: string, after: string): (Node | string)[] {
  const [old, now] = differingValues(before, after);
  const marked = (tag: "del" | "ins", parts: readonly Part[]) =>
    parts.map(({ text, differs }) =>
      differs ? html(tag, {}, text) : text === NONE ? html("span", { class: "none" }, text) : text,
    );
  return [...marked("del", old), " → ", ...marked("ins", now)];
}

const changeKinds = { "+": "added", "~": "changed", "-": "removed" };

function row(line: Line): HTMLElement {
  const { range } = line;
  const text = html("span", { class: "text" }, line.text);
  const title = range
    ? button("", () => host.send({ type: "go", range }), { class: "go", title: t("Go to source line") })
    : html("span", { class: "go" });
  replaceChildren(title, html("span", { class: "mark", "aria-label": changeKinds[line.mark] }, line.mark), text);
  return html(
    "li",
    { class: changeKinds[line.mark] },
    title,
    line.changes !== undefined &&
      html(
        "dl",
        {},
        line.changes.flatMap(({ field, before, after }) => [
          html("dt", {}, field),
          html("dd", {}, change(before, after)),
        ]),
      ),
  );
}
