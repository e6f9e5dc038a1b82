/** All possible values of a variable: those of its enum, or any value; and none. */
import { anything, type Possible } from "../run/possible";
import type { Program } from "../run/program";
import { pairOf, textOf } from "../values";

export function domainIn({ document, valuesOf, domains }: Program, variable: string): Possible {
  const inside = domains?.get(variable);
  if (inside) return inside;
  const values = valuesOf(variable);
  if (!values) return anything;
  const type = textOf(pairOf(document.variables.find(({ name }) => name === variable)?.value, "type")?.value);
  const isNumber = type === "number" || type === "integer";
  const each = values.map((value) => (isNumber && Number.isFinite(Number(value)) ? Number(value) : value));
  return [undefined, ...new Set(each)];
}
