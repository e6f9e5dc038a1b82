/**
 * Browsers that UI test files use one after another, because each start takes two seconds of processor time. A browser
 * serves one file at a time, since its windows share a clipboard.
 */
import { type BrowserServer, chromium } from "playwright-core";
import { browserSwitches } from "../../scripts/vscode/browser";
import { ensureBrowser } from "../../scripts/vscode/install";

const all = new Set<BrowserServer>();
const free: BrowserServer[] = [];

/** Runs a function that finds a browser by the address in its environment. */
export async function withBrowser<T>(run: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const browser = free.pop() ?? (await launch());
  try {
    return await run({ ASSISTANT_FLOW_TEST_BROWSER: browser.wsEndpoint() });
  } finally {
    if (all.has(browser)) free.push(browser);
  }
}

async function launch(): Promise<BrowserServer> {
  const browser = await chromium.launchServer({ executablePath: await ensureBrowser(), args: browserSwitches });
  all.add(browser);
  browser.once("close", () => {
    all.delete(browser);
    if (free.includes(browser)) free.splice(free.indexOf(browser), 1);
  });
  return browser;
}

export async function closeBrowsers(): Promise<void> {
  await Promise.all([...all].map((browser) => browser.close()));
}
