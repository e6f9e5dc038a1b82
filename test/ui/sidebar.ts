import type { Sandbox } from "../../scripts/sandbox";
import { actUntil, type Code, holds, PATIENCE_MS } from "./harness";

/** Shows one view of the container and collapses the others, so that its rows fit. */
export async function only(code: Code, view: string): Promise<void> {
  await code.view("Assistant Flow");
  await code.page.locator(`.part.sidebar .pane-header[aria-label^="${view}"]`).waitFor();
  const others = `[...document.querySelectorAll(".part.sidebar .pane-header")].filter((header) =>
    header.getClientRects().length > 0 &&
    header.ariaLabel.startsWith(${JSON.stringify(view)}) !== (header.ariaExpanded === "true"))`;
  // Uses events, in one step: the tooltip of one header may cover the next, and a header's buttons are in its middle.
  // More views may appear meanwhile.
  await actUntil(
    holds(`only ${view} is open`, async () => (await code.page.evaluate(`${others}.length`)) === 0),
    () => code.page.evaluate(`${others}.forEach((header) => header.click())`),
  );
}

/** Waits until a view's header shows this count; buttons hide the count while the mouse is there. */
export async function counts(code: Code, view: string, count: number | string): Promise<void> {
  const header = code.page.locator(`.part.sidebar .pane-header[aria-label^="${view}"]`);
  await header.locator(".description").getByText(String(count), { exact: true }).waitFor({ state: "attached" });
}

/** Rejects a review by its row. If the list is redrawn at that moment, VS Code doesn't say which row was clicked, and we ask. */
export async function reject(code: Code, name: string): Promise<void> {
  const question = code.question("The list changed as you clicked");
  await code.rowAction(name, "Reject");
  const isRejected = holds(
    `${name} is rejected`,
    async () => (await question.isVisible()) || !(await code.row(name).isVisible()),
  );
  await isRejected.waitFor({ timeout: PATIENCE_MS });
  if (await question.isVisible()) await code.pick(name);
}

/** A screenshot of the sidebar alone. */
export async function picture(code: Code, name: string): Promise<void> {
  await code.page.mouse.move(900, 500);
  const style = ".workbench-hover-container { display: none }"; // A busy VS Code may still open a tooltip.
  await code.screenshot(`sidebar-${name}`, code.page.locator(".part.sidebar"), style);
}

interface AdminRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** The sandbox's recorded requests, and the faults to add. */
export function admin(sandbox: Sandbox) {
  const face = sandbox.adminUrl ?? "";
  return {
    async requests(path: RegExp): Promise<readonly AdminRequest[]> {
      const { requests } = (await (await fetch(`${face}/requests`)).json()) as { requests: AdminRequest[] };
      return requests.filter(({ path: at }) => path.test(at));
    },
    rejects(): Promise<readonly AdminRequest[]> {
      return this.requests(/\/reject$/);
    },
    /** Advances the platform's clock. */
    async advance(seconds: number): Promise<void> {
      const body = JSON.stringify({ advance_ms: seconds * 1000 });
      await fetch(`${face}/clock`, { method: "POST", headers: { "content-type": "application/json" }, body });
    },
    async fault(fault: object): Promise<void> {
      const answer = await fetch(`${face}/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(fault),
      });
      if (answer.status !== 201) throw new Error(await answer.text());
    },
  };
}

/** Repeats until the condition is true. */
export async function until(what: string, look: () => Promise<boolean>, seconds = PATIENCE_MS / 1000): Promise<void> {
  await holds(what, look).waitFor({ timeout: seconds * 1000 });
}
