/** Hostile strings, and detectors of those that ran, loaded something or became more than text. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameLocator, Page } from "playwright-core";
import { payloads } from "./payloads";

export class Trap {
  #asked = 0;
  #dialogs = 0;
  readonly #server: Server;
  readonly texts: readonly string[];

  private constructor(server: Server, address: string) {
    this.#server = server;
    // A VS Code message turns Markdown into links; these would run a command or open another site.
    const links = ["command:workbench.action.closeWindow", `${address} "t"`, "file:///etc/passwd"];
    this.texts = [...payloads(address), ...links.map((link) => `[x](${link})`)];
    assert.ok(this.texts.length >= 80);
  }

  static async set(): Promise<Trap> {
    let trap: Trap | undefined;
    const server = createServer((_request, response) => {
      if (trap) trap.#asked++;
      response.setHeader("access-control-allow-origin", "*").end("window.__hit=1");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    trap = new Trap(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/trap`);
    return trap;
  }

  watch(page: Page): void {
    page.on("dialog", (dialog) => {
      this.#dialogs++;
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (request.url().endsWith("/trap")) this.#asked++;
    });
  }

  close(): void {
    this.#server.close();
  }

  /** No code ran in the workbench, no request was made, and no dialog opened. */
  async untouched(page: Page): Promise<void> {
    const found = await page.evaluate(
      "({ hit: window.__hit ?? 0, scripts: [...document.scripts].filter((each) => /__hit|trap/.test(each.outerHTML)).length })",
    );
    const counted = { ...(found as object), asked: this.#asked, dialogs: this.#dialogs };
    assert.deepEqual(counted, { hit: 0, scripts: 0, asked: 0, dialogs: 0 });
  }

  /** The same for a page, whose content security policy had nothing to block either: no string became an element. */
  async pageUntouched(page: Page, frame: FrameLocator): Promise<void> {
    const found = await frame.locator("body").evaluate(`({
      hit: window.__hit ?? 0,
      refused: window.__refused ?? [],
      strange: [...document.querySelectorAll("img,iframe,object,embed,video,audio,base,form:not(.query):not(main > form),foreignObject,use,image,animate,marquee")].map((e) => e.outerHTML.slice(0, 80)),
      links: [...document.querySelectorAll("a[href]")].map((a) => a.href).filter((href) => !href.startsWith("https:")),
      handlers: [...document.querySelectorAll("*")].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith("on")),
    })`);
    assert.deepEqual(found, { hit: 0, refused: [], strange: [], links: [], handlers: [] });
    await this.untouched(page);
  }
}

/** Records what the content security policy of a page blocks from now on. */
export async function watchPolicy(frame: FrameLocator): Promise<void> {
  await frame.locator("body").evaluate(`(() => {
    window.__refused = [];
    document.addEventListener("securitypolicyviolation", (event) => window.__refused.push(event.blockedURI));
  })()`);
}
