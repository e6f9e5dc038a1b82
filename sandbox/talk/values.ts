/** Values that simulated callers and tools give to variables. */
import { pairOf, textOf } from "../../flow";
import type { Program } from "../../flow/run";
import type { Chance } from "../chance";

export function enumValues({ document }: Program, variable: string): readonly string[] {
  const listed = pairOf(document.variable(variable)?.value, "enum_values")?.value;
  return listed?.kind === "list" ? listed.items.flatMap((item) => textOf(item) ?? []) : [];
}

/** A value of the variable's type, or one that a condition of the flow compares it with. */
export function valueFor(program: Program, variable: string, chance: Chance): unknown {
  const listed = enumValues(program, variable);
  if (listed.length > 0) return chance.pick(listed);
  const compared = comparedWith(program, variable);
  if (compared.length > 0 && chance.next() < 0.6) return chance.pick(compared);
  const type = textOf(pairOf(program.document.variable(variable)?.value, "type")?.value);
  if (type === "number" || type === "integer") return chance.whole(1, 12);
  if (type === "boolean") return chance.next() < 0.5;
  if (type === "date") return `2026-${String(chance.whole(1, 12)).padStart(2, "0")}-${String(chance.whole(10, 28))}`;
  if (/name/i.test(variable))
    return chance.pick(["Quinn Abara", "Mara Oduya", "Ilse Brandt", "Tomas Vega", "Noor Haddad"]);
  if (/(id|number|code|ticket|phone|account|zip|postcode)$/i.test(variable)) return String(chance.whole(1_000, 99_999));
  return chance.pick([
    "the blue one",
    "as soon as possible",
    "near the station",
    "two of them",
    "the usual",
    "around noon",
  ]);
}

/** Numbers around those that conditions compare with, and the strings they name. */
function comparedWith({ nodes }: Program, variable: string): unknown[] {
  const found: unknown[] = [];
  for (const { edges } of nodes.values())
    for (const { when } of edges)
      for (const [, name, operator, literal = ""] of (when ?? "").matchAll(
        /\{\{\s*([\w-]+)\s*\}\}\s*(<=|>=|<|>|==|!=|=|is not|is|equals)\s*("[^"]*"|'[^']*'|-?[\d.]+|true|false)/gi,
      )) {
        if (name !== variable) continue;
        const number = Number(literal);
        if (literal !== "" && !Number.isNaN(number)) found.push(number, number + 1, number - 1);
        else if (literal === "true" || literal === "false") found.push(literal === "true");
        else found.push(literal.slice(1, -1));
        void operator;
      }
  return found;
}
