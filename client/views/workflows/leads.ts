/** Leads, the people a workflow calls: their fields, validation, and import from JSON or CSV. */
import { l10n } from "vscode";
import { isRecord, parsedJson } from "../../../flow/json";
import { type CreateExecutionRequest, safeText } from "../../../platform";
import { type Check, emailProblem, idProblem, phoneProblem, webAddressProblem } from "../../ui/checks";

export interface LeadField {
  readonly name: keyof CreateExecutionRequest & string;
  readonly label: string;
  /** Fields of a group are next to each other in the form. */
  readonly group: string;
  readonly placeholder?: string;
  readonly isLong?: boolean;
  readonly required?: boolean;
  readonly check?: Check;
  /** The field also applies to call inquiries. */
  readonly inquiry?: boolean;
}

const stateProblem: Check = (value) =>
  /^[A-Za-z]{2}$/.test(value) || /^[\p{L} .'-]{3,40}$/u.test(value)
    ? undefined
    : l10n.t("Enter a state, for example NY.");

export const leadFields: readonly LeadField[] = [
  { name: "firstName", label: l10n.t("First name"), group: l10n.t("Person"), inquiry: true },
  { name: "lastName", label: l10n.t("Last name"), group: l10n.t("Person"), inquiry: true },
  {
    name: "primaryPhone",
    label: l10n.t("Phone number"),
    group: l10n.t("Person"),
    placeholder: "+1 518 555 0100",
    required: true,
    check: phoneProblem,
    inquiry: true,
  },
  {
    name: "email",
    label: l10n.t("Email"),
    group: l10n.t("Person"),
    placeholder: "anna@example.com",
    check: emailProblem,
    inquiry: true,
  },
  { name: "city", label: l10n.t("City"), group: l10n.t("Address"), inquiry: true },
  {
    name: "state",
    label: l10n.t("State"),
    group: l10n.t("Address"),
    placeholder: "NY",
    check: stateProblem,
    inquiry: true,
  },
  { name: "zipcode", label: l10n.t("Zip code"), group: l10n.t("Address"), inquiry: true },
  { name: "leadId", label: l10n.t("Lead ID"), group: l10n.t("Reference"), check: idProblem, inquiry: true },
  { name: "sourceID", label: l10n.t("Source ID"), group: l10n.t("Reference") },
  { name: "campaignID", label: l10n.t("Campaign ID"), group: l10n.t("Reference") },
  {
    name: "referenceURL",
    label: l10n.t("Reference URL"),
    group: l10n.t("Reference"),
    placeholder: "https://…",
    check: webAddressProblem,
  },
  { name: "phoneAgentExtension", label: l10n.t("Agent extension"), group: l10n.t("Agent") },
  { name: "phoneAgentDirectDial", label: l10n.t("Agent direct number"), group: l10n.t("Agent"), check: phoneProblem },
  { name: "forwardingPhoneNumber", label: l10n.t("Forward calls to"), group: l10n.t("Agent"), check: phoneProblem },
  { name: "textContent", label: l10n.t("Text message"), group: l10n.t("Message"), isLong: true },
];

export type Lead = Readonly<Record<string, string>>;

/** What is created for a lead: an execution, or a call inquiry, which has fewer fields. */
export type Kind = "execution" | "inquiry";

export function fieldsFor(kind: Kind): readonly LeadField[] {
  return leadFields.filter(({ inquiry }) => kind === "execution" || inquiry);
}

/** Keeps only the fields that the form shows, so that values of an earlier lead are never sent unseen. */
export function leadFor(kind: Kind, lead: Lead): Lead {
  return Object.fromEntries(fieldsFor(kind).flatMap(({ name }) => (lead[name] ? [[name, lead[name]]] : [])));
}

export function leadName(lead: Lead): string {
  const name = [lead.firstName, lead.lastName].filter(Boolean).join(" ") || lead.email || lead.leadId || "";
  return safeText(name, 80) || l10n.t("Unnamed lead");
}

/** Validates a lead. Returns messages by field. */
export function leadProblems(lead: Lead): Record<string, string> {
  return Object.fromEntries(
    leadFields.flatMap(({ name, label, required, check }) => {
      const value = lead[name] ?? "";
      const problem = value === "" ? (required ? l10n.t("{0} is required.", label) : undefined) : check?.(value);
      return problem ? [[name, problem]] : [];
    }),
  );
}

/** Parses leads from a JSON object, a JSON array, or CSV with a header line. Anything else yields no leads. */
export function leadsIn(text: string): readonly Lead[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  // A fragment of JSON isn't a lead.
  const records = /^[[{]/.test(trimmed) ? [parsedJson(trimmed)].flat().filter(isRecord) : csvRecords(trimmed);
  return records.map(asLead).filter((lead) => Object.keys(lead).length > 0);
}

/** Common spellings of column names: `Phone Number`, `primary_phone`, `zip`. */
const aliases: Readonly<Record<string, string>> = {
  phone: "primaryPhone",
  phonenumber: "primaryPhone",
  mobile: "primaryPhone",
  givenname: "firstName",
  surname: "lastName",
  familyname: "lastName",
  mail: "email",
  emailaddress: "email",
  id: "leadId",
  lead: "leadId",
  zip: "zipcode",
  postalcode: "zipcode",
  campaign: "campaignID",
  source: "sourceID",
  url: "referenceURL",
  extension: "phoneAgentExtension",
};
const names = new Map([
  ...Object.entries(aliases),
  ...leadFields.map(({ name }): [string, string] => [name.toLowerCase(), name]),
]);

function asLead(record: Readonly<Record<string, unknown>>): Lead {
  const lead: Record<string, string> = {};
  for (const [key, value] of Object.entries(record)) {
    const plain = key.toLowerCase().replace(/[^a-z]/g, "");
    const name = names.get(plain);
    const text = typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
    if (name && text !== "") lead[name] ??= text;
  }
  return lead;
}

function csvRecords(text: string): readonly Record<string, string>[] {
  const first = text.slice(0, text.search(/\r?\n|$/));
  const separator = [",", ";", "\t"].reduce((best, char) =>
    first.split(char).length > first.split(best).length ? char : best,
  );
  const [header, ...lines] = csvLines(text, separator);
  if (!header || lines.length === 0) return [];
  return lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ""])));
}

/** Quoted fields may contain separators, line breaks, and doubled quotes. */
function csvLines(text: string, separator: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let field = "";
  let quoted = false;
  const endField = () => {
    line.push(field);
    field = "";
  };
  const endLine = () => {
    endField();
    if (line.some((one) => one.trim() !== "")) lines.push(line);
    line = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[++at];
      else quoted = false;
    } else if (char === '"' && field.trim() === "") {
      quoted = true;
      field = "";
    } else if (char === separator) endField();
    else if (char === "\n") endLine();
    else if (char !== "\r") field += char;
  }
  endLine();
  return lines;
}
