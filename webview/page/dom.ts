/**
 * Creates DOM elements. Text is only set as text, so data can't become markup. Link addresses are checked, and
 * attributes that run code are rejected.
 */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
/** A list is passed as it is: spread into arguments, a long one overflows the stack. */
type Child = Node | string | undefined | false | readonly Child[];

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function replaceChildren(parent: Element, ...children: Child[]): void {
  const added = document.createDocumentFragment();
  append(added, children);
  parent.replaceChildren(added);
}

function append(parent: ParentNode, children: readonly Child[]): void {
  for (const child of children)
    if (typeof child === "string" || child instanceof Node) parent.append(child);
    else if (child) append(parent, child);
}

/** Creates a link to an https address; any other address stays plain text. */
export function link(address: string, text: string): HTMLElement {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === "https:" ? html("a", { href: url.href, title: url.href }, text) : html("span", {}, text);
}

/** A list of names and values. */
export function facts(kind: string, rows: readonly (readonly [name: string, value: Child])[]): HTMLElement {
  return html(
    "dl",
    { class: kind },
    rows.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value))),
  );
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = html("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", onClick);
  return element;
}

/** Marks a field for its style and for screen readers, for which an empty `aria-invalid` means "false". */
export function markInvalid(field: Element, isInvalid: boolean): void {
  if (isInvalid) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (/^on/i.test(name)) throw new Error(`The attribute ${name} would run code.`);
    element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}
