import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { inProject, manifest } from "../../scripts/project";
import { defaultSettings } from "../../server/settings";

test("settings in the manifest and in the code have the same names and defaults", () => {
  const configuration = [manifest.contributes.configuration ?? []].flat();
  const declared: Record<
    string,
    { default?: unknown; scope?: string; description?: string; markdownDescription?: string }
  > = Object.assign({}, ...configuration.map((each: { properties: object }) => each.properties));
  const known = flatten(defaultSettings, "assistantFlow");
  for (const [name, value] of Object.entries(known)) {
    assert.ok(declared[name], `${name} is missing in the manifest`);
    assert.deepEqual(declared[name].default, value, `default of ${name}`);
  }
  for (const [name, setting] of Object.entries(declared)) {
    assert.ok(setting.description ?? setting.markdownDescription, `${name} says what it does`);
  }
  // The others are read once per window: setting them for a folder would have no effect.
  const perFolder = Object.keys(declared).filter((name) => declared[name]?.scope === "resource");
  assert.deepEqual(perFolder, ["assistantFlow.sync.onSave", "assistantFlow.sync.onAutoSave"]);
});

/** `{codeLens: {edges: true}}` as `{"codeLens.edges": true}`; a table that users fill (`rules`) is one setting. */
function flatten(settings: object, prefix: string): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(settings).map(([key, value]) => {
      const name = `${prefix}.${key}`;
      const isGroup = typeof value === "object" && value !== null && Object.keys(value).length > 0;
      return isGroup ? flatten(value, name) : { [name]: value };
    }),
  );
}

test("files and commands named in the manifest exist", () => {
  const { contributes, icon } = manifest;
  const files = [icon, ...contributes.grammars.map((each: { path: string }) => each.path)];
  files.push(...contributes.languages.map((each: { configuration?: string }) => each.configuration).filter(Boolean));
  for (const file of files) assert.ok(existsSync(inProject(file)), file);
  const commands: string[] = contributes.commands.map((each: { command: string }) => each.command);
  assert.equal(new Set(commands).size, commands.length, "each command once");
  for (const each of contributes.commands) assert.equal(each.category, "Assistant Flow", each.command);
  const menus = Object.values(contributes.menus ?? {}).flat() as { command?: string }[];
  for (const { command } of menus) if (command) assert.ok(commands.includes(command), `${command} is in a menu`);
});

test("icons for dark themes are visible on white, too: VS Code uses them in High Contrast Light", () => {
  const light = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = (hex.match(/../g) ?? [])
      .map((part) => Number.parseInt(part, 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  for (const { icon } of manifest.contributes.languages as { icon?: { dark: string } }[]) {
    if (!icon) continue;
    const [, color = ""] = /#([0-9a-f]{6})/.exec(readFileSync(inProject(icon.dark), "utf8")) ?? [];
    assert.ok(1.05 / (light(color) + 0.05) >= 3, `${icon.dark} on white`);
    assert.ok((light(color) + 0.05) / 0.05 >= 3, `${icon.dark} on black`);
  }
});

test("views of the platform are shown after the extension has set the state of its session, not before", () => {
  const views = (manifest.contributes.views as Record<string, { id: string; when?: string }[]>).assistantFlow ?? [];
  const always = views.filter(({ when }) => !when?.startsWith("assistantFlow.session =~ "));
  assert.deepEqual(
    always.map(({ id }) => id),
    ["assistantFlow.flows", "assistantFlow.assistants"],
  );
});

test("the palette has commands that work without a row, and one to refresh", () => {
  const { contributes } = manifest;
  const hidden = new Set(
    contributes.menus.commandPalette
      .filter(({ when }: { when: string }) => when === "false")
      .map(({ command }: { command: string }) => command),
  );
  const titles = JSON.parse(readFileSync(inProject("package.nls.json"), "utf8")) as Record<string, string>;
  const shown: { command: string; title: string }[] = contributes.commands
    .filter(({ command }: { command: string }) => !hidden.has(command))
    .map(({ command, title }: { command: string; title: string }) => ({
      command,
      title: titles[title.slice(1, -1)] ?? title,
    }));
  const wanted = shown.map(({ title }) => title);
  assert.deepEqual(
    wanted.filter((title) => /^(Refresh|Reload)/.test(title)),
    ["Refresh"],
  );
  assert.deepEqual(
    wanted.filter((title) => /\bThis\b|^Load (More|All)/.test(title)),
    [],
    "what they are about is a row, a page or a line",
  );
  assert.equal(new Set(wanted).size, wanted.length, "two commands of one name can't be told apart");
  // A command that is only in the menu of a row needs a menu entry.
  const menus = Object.entries(contributes.menus as Record<string, { command?: string }[]>);
  const places = (command: string) =>
    menus.filter(([menu, items]) => menu !== "commandPalette" && items.some((item) => item.command === command));
  const rowOnly = shown.filter(({ command }) => {
    const found = places(command).map(([menu]) => menu);
    return found.length > 0 && found.every((menu) => menu === "view/item/context");
  });
  assert.deepEqual(
    rowOnly.map(({ command }) => command),
    [
      "assistantFlow.showRevision",
      "assistantFlow.showQualityReport",
      "assistantFlow.saveTools",
      "assistantFlow.promote",
      "assistantFlow.restoreVersion",
      "assistantFlow.linkFlow",
    ],
    "these ask for a flow",
  );
});

test("the manifest is ready for a marketplace", () => {
  for (const field of ["displayName", "description", "publisher", "license", "icon", "categories", "keywords"]) {
    assert.ok(manifest[field], field);
  }
  assert.equal(manifest.pricing, "Free");
  assert.deepEqual(manifest.extensionKind, ["workspace"], "the language server is a process beside the files");
  assert.ok(manifest.keywords.length <= 30, "the Marketplace takes 30 keywords");
  assert.ok(manifest.repository.url, "bugs and homepage follow from it");
  for (const event of manifest.activationEvents) assert.doesNotMatch(event, /^(?:\*|onStartupFinished)$/);
  assert.match(manifest.capabilities.untrustedWorkspaces.supported, /limited/);
  assert.ok(manifest.capabilities.virtualWorkspaces);
  const icon = readFileSync(inProject(manifest.icon));
  assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(20) >= 128, "the icon has at least 128 pixels a side");
});

test("the lockfile has no URLs", () => {
  assert.doesNotMatch(readFileSync(inProject("package-lock.json"), "utf8"), /"resolved"|https?:\/\/registry/);
});
