/** The **Calls** switch of the graph page: asks for calls, keeps them, and lists those of the selected element. */
import type { FromGraphPage, ToGraphPage } from "../../client/pages/messages";
import type { GraphElement, GraphView } from "../../server/messages";
import type { CallsView } from "../../server/test-messages";
import { html } from "../page/dom";
import { t } from "../page/l10n";
import { CallList, callsWords, withCalls } from "./overlays/calls";

export class CallsSwitch {
  /** The totals, or why there are none. */
  readonly status = html("div", { class: "calls-status", role: "status", hidden: true });
  readonly list: CallList;
  #isShown = false;
  #calls: CallsView | undefined;

  constructor(
    private readonly send: (message: FromGraphPage) => void,
    private readonly changed: (isShown: boolean) => void,
  ) {
    this.list = new CallList((id) => send({ type: "open-call", id }));
  }

  set(isShown: boolean): void {
    this.#isShown = isShown;
    this.#calls = undefined;
    this.status.hidden = !isShown;
    this.status.textContent = isShown ? t("Loading calls…") : "";
    this.list.show(undefined, undefined);
    this.send({ type: "calls", isShown });
    this.changed(isShown);
  }

  receive({ calls, reason, isLoading }: Extract<ToGraphPage, { type: "calls" }>): void {
    if (!this.#isShown) return;
    this.#calls = calls;
    const words = calls ? callsWords(calls) : (reason ?? "");
    this.status.textContent = isLoading ? `${words} ${t("Loading more…")}` : words;
    this.list.update(calls);
    this.changed(true);
  }

  /** The calls of another flow aren't known yet. */
  reset(): void {
    if (this.#isShown) this.set(true);
  }

  choose(element: GraphElement): void {
    if (this.#isShown) this.list.show(element, this.#calls);
  }

  over(view: GraphView): GraphView {
    return this.#isShown ? withCalls(view, this.#calls) : view;
  }
}
