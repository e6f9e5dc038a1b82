/** The context menu of nodes and edges, opened by a right click, the menu key, or Shift+F10. */

import { button, html, replaceChildren } from "../page/dom";
import { t } from "../page/l10n";
import { editableEdge, nodeCommands } from "./keys";
import type { Picture, Selection } from "./picture";
import { type Actions, isByMouse, selectionAt } from "./pointer";

interface Item {
  readonly label: string;
  readonly key: string;
  run(): void;
}

export function watchMenu(surface: HTMLElement, picture: Picture, actions: Actions): void {
  const menu = html("div", { class: "menu", role: "menu", "aria-label": t("Node"), hidden: true });
  document.body.append(menu);
  const close = () => {
    if (menu.hidden) return;
    menu.hidden = true;
    if (menu.contains(document.activeElement)) surface.focus();
  };
  surface.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    // Only a key means the selection; the mouse means what is under it.
    const selection = selectionAt(event, picture) ?? (isByMouse(event) ? undefined : picture.selection);
    const items = itemsFor(selection, picture, actions);
    if (items.length === 0) return;
    actions.select(selection);
    replaceChildren(
      menu,
      items.map(({ label, key, run }) => {
        const choose = () => {
          close();
          run();
        };
        const item = button("", choose, { role: "menuitem", tabindex: -1 });
        replaceChildren(item, html("span", {}, label), key ? [html("kbd", {}, key)] : []);
        return item;
      }),
    );
    menu.hidden = false;
    const at = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : centreOf(surface);
    menu.style.left = `${Math.max(4, Math.min(at.x, window.innerWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(at.y, window.innerHeight - menu.offsetHeight - 4))}px`;
    (menu.firstElementChild as HTMLElement).focus();
  });
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.children] as HTMLElement[];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) items[(at + step + items.length) % items.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  window.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target as Node)) close();
  });
  window.addEventListener("blur", close);
}

function itemsFor(selection: Selection, picture: Picture, actions: Actions): Item[] {
  const open = { label: t("Go to line"), key: "Enter", run: () => actions.open(selection) };
  if (selection?.kind === "edge") {
    const element = editableEdge(selection, picture);
    if (!element) return [];
    return [open, { label: t("Delete edge"), key: "Del", run: () => actions.edit({ kind: "delete", element }) }];
  }
  const id = selection?.id;
  const node = picture.view.nodes.find((candidate) => candidate.id === id);
  if (id === undefined || !node || node.change === "removed" || node.unread) return [];
  const offered = nodeCommands.filter(({ isOffered }) => isOffered?.(node, picture.view) ?? true);
  return [open, ...offered.map(({ label, key, run }) => ({ label, key, run: () => run(id, actions) }))];
}

function centreOf(element: HTMLElement): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
