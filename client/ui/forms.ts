/**
 * Forms made of VS Code's quick inputs. `askSteps` asks a few questions in order, with a Back button; `editForm` lists
 * all fields, to be filled in in any order. Both validate while typing, accept initial values, and show the platform's
 * errors next to their fields.
 */
import * as vscode from "vscode";
import { PlatformError } from "../../platform";
import { withoutLinks } from "../../text";
import { incomplete, problemsByField } from "./checks";

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly required?: boolean | ((values: FormValues) => boolean);
  /** Returns an error message, or undefined. Not called for an empty optional field. */
  readonly check?: (value: string, values: FormValues) => string | undefined;
  /** Choices offered instead of an input box. */
  readonly options?: readonly FormOption[];
  /** Allows several options; the value is a comma-separated list. */
  readonly many?: boolean;
  /** With options: allows typing a value that isn't listed. */
  readonly free?: boolean;
  /** The field is skipped unless this returns true. */
  readonly when?: (values: FormValues) => boolean;
}

export interface FormOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

export type FormValues = Readonly<Record<string, string>>;

export interface FormStart {
  readonly values?: FormValues;
  /**
   * The platform's errors by field name. The form starts at the first of these fields. An error whose field isn't asked
   * for is shown at another one. They don't block submitting: the platform may accept the value next time.
   */
  readonly problems?: Readonly<Record<string, string>>;
}

/** Asks for the fields one by one. Undefined if the user cancels. */
export async function askSteps(
  title: string,
  fields: readonly FormField[],
  start: FormStart = {},
): Promise<FormValues | undefined> {
  let values: FormValues = start.values ?? {};
  let problems = atAskedFields(fields, values, start.problems ?? {});
  let index = Math.max(
    0,
    fields.findIndex((field) => problems[field.name] !== undefined),
  );
  while (index < fields.length) {
    const field = fields[index] as FormField;
    if (!isAsked(field, values)) {
      index++;
      continue;
    }
    const asked = fields.filter((candidate) => isAsked(candidate, values));
    const count = asked.length > 1 ? { step: asked.indexOf(field) + 1, totalSteps: asked.length } : {};
    const problem = problems[field.name];
    const answer = await askField({ title, field, values, ...count, problem, canGoBack: index > 0 });
    if (answer === undefined) return undefined;
    const { [field.name]: _settled, ...rest } = problems;
    problems = rest;
    if (answer === BACK) {
      do index--;
      while (index > 0 && !isAsked(fields[index] as FormField, values));
      continue;
    }
    values = { ...values, [field.name]: answer };
    index++;
  }
  return values;
}

/**
 * Asks until the platform accepts the answers, and shows its errors next to their fields; those without a field at
 * `otherwise`. Undefined if the user cancels.
 */
export async function askUntilAccepted<Result>(
  ask: (start: FormStart) => Promise<FormValues | undefined>,
  values: FormValues,
  otherwise: string,
  send: (values: FormValues) => PromiseLike<Result>,
): Promise<Result | undefined> {
  for (let start: FormStart = { values }; ; ) {
    const answers = await ask(start);
    if (!answers) return undefined;
    try {
      return await send(answers);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      start = { values: answers, problems: problemsByField(error, otherwise) };
    }
  }
}

/** Lists all fields with their values: a pick edits one, the first row submits. Undefined if the user cancels. */
export async function editForm(
  title: string,
  submit: string,
  fields: readonly FormField[],
  start: FormStart = {},
): Promise<FormValues | undefined> {
  let values: FormValues = start.values ?? {};
  let reported = namedOrWhole(fields, start.problems ?? {});
  let active = fields.find((field) => reported[field.name])?.name;
  while (true) {
    const wrong = new Map(
      fields.flatMap((field) => {
        const problem = checkField(field, values[field.name] ?? "", values);
        return problem ? [[field.name, problem] as const] : [];
      }),
    );
    const [firstWrong] = wrong.keys();
    const problemOf = ({ name }: FormField) => wrong.get(name) ?? reported[name];
    // A required field that is still empty is marked already, so it needs no message.
    const complaint = (field: FormField) => (values[field.name] ? problemOf(field) : reported[field.name]);
    const rows: (vscode.QuickPickItem & { field?: FormField })[] = [
      {
        label: `${reported[""] ? "$(warning)" : "$(play)"} ${submit}`,
        detail: firstWrong ? incomplete(wrong.size) : reported[""],
        alwaysShow: true,
      },
      { label: "", kind: vscode.QuickPickItemKind.Separator },
      ...fields.map((field) => ({
        label: `${problemOf(field) ? "$(warning) " : ""}${field.label}`,
        description:
          values[field.name] || (isRequired(field, values) ? vscode.l10n.t("required") : vscode.l10n.t("not set")),
        detail: complaint(field),
        field,
      })),
    ];
    const row = await pickRow(title, vscode.l10n.t('Select a field to edit, or choose "{0}"', submit), rows, active);
    if (!row) return undefined;
    if (!row.field) {
      if (!firstWrong) return values;
      active = firstWrong;
      continue;
    }
    const field = row.field;
    active = field.name;
    const answer = await askField({ title, field, values, problem: complaint(field), canGoBack: true });
    // Escape leaves the field, not the form, so the other values aren't lost.
    if (answer === undefined || answer === BACK) continue;
    values = { ...values, [field.name]: answer };
    const { [field.name]: _settled, ...rest } = reported;
    reported = rest;
    active = fields[fields.indexOf(field) + 1]?.name ?? field.name;
  }
}

const BACK = Symbol("back");

type Answer = string | typeof BACK | undefined;

/** One question of a form. */
interface Step {
  readonly title: string;
  readonly field: FormField;
  readonly values: FormValues;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly problem?: string | undefined;
  readonly canGoBack: boolean;
}

function isAsked(field: FormField, values: FormValues): boolean {
  return field.when?.(values) ?? true;
}

/**
 * Moves each error to a field that is asked for: its own, else the last one before it, whose answer made the form skip
 * it, else the first. A form that started at a skipped field would end without asking anything.
 */
function atAskedFields(
  fields: readonly FormField[],
  values: FormValues,
  problems: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const placed: Record<string, string> = {};
  for (const [name, problem] of Object.entries(problems)) {
    const until = fields.slice(0, fields.findIndex((field) => field.name === name) + 1);
    const shows = (field: FormField) => isAsked(field, values);
    const at = (until.findLast(shows) ?? fields.find(shows))?.name;
    if (at !== undefined) placed[at] = placed[at] ? `${placed[at]} ${problem}` : problem;
  }
  return placed;
}

/** Moves errors without a field in the form to the empty name, which means the whole form. */
function namedOrWhole(
  fields: readonly FormField[],
  problems: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isField = (name: string) => fields.some((field) => field.name === name);
  const whole = Object.entries(problems)
    .filter(([name]) => !isField(name))
    // Away from its field, the error needs the field's name.
    .map(([name, problem]) => (name === "" ? problem : `${name}: ${problem}`));
  const named = Object.entries(problems).filter(([name]) => isField(name));
  return { ...Object.fromEntries(named), ...(whole.length > 0 ? { "": whole.join(" ") } : {}) };
}

function isRequired({ required = false }: FormField, values: FormValues): boolean {
  return typeof required === "function" ? required(values) : required;
}

/** Returns what is wrong with a value, or undefined. */
export function checkField(field: FormField, value: string, values: FormValues): string | undefined {
  if (value === "") return isRequired(field, values) ? vscode.l10n.t("{0} is required.", field.label) : undefined;
  return field.check?.(value, values);
}

function askField(step: Step): Promise<Answer> {
  return step.field.options ? askPick(step) : askText(step);
}

function askText(step: Step): Promise<Answer> {
  const { field, values, problem } = step;
  const input = vscode.window.createInputBox();
  prepare(input, step);
  input.prompt = field.label;
  input.placeholder = field.placeholder;
  input.password = field.password ?? false;
  input.value = values[field.name] ?? "";
  input.validationMessage = problem && withoutLinks(problem);
  return answered(input, (finish) => {
    input.onDidChangeValue((value) => {
      // A missing required value is reported on submit, not while the box is still empty.
      input.validationMessage = value === "" ? undefined : checkField(field, value.trim(), values);
    });
    input.onDidTriggerButton(() => finish(BACK));
    input.onDidAccept(() => {
      const value = input.value.trim();
      const wrong = checkField(field, value, values);
      if (wrong) input.validationMessage = wrong;
      else finish(value);
    });
  });
}

function askPick(step: Step): Promise<Answer> {
  const { field, values } = step;
  const offered = field.options ?? [];
  const chosen = (values[field.name] ?? "").split(",").filter(Boolean);
  const unlisted = chosen.filter((value) => !offered.some((option) => option.value === value));
  const base = [...offered, ...(field.free ? unlisted.map((value) => ({ value, label: value })) : [])];
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { value: string }>();
  prepare(pick, step);
  pick.placeholder = step.problem ?? field.placeholder ?? field.label;
  pick.canSelectMany = field.many ?? false;
  pick.matchOnDescription = true;
  pick.items = base.map((option) => ({ ...option }));
  if (field.many) pick.selectedItems = pick.items.filter((item) => chosen.includes(item.value));
  else pick.activeItems = pick.items.filter((item) => chosen.includes(item.value));
  return answered(pick, (finish) => {
    if (field.free)
      pick.onDidChangeValue((typed) => {
        const value = typed.trim();
        const selected = pick.selectedItems.map((item) => item.value);
        const listed = [
          ...base,
          ...selected.filter((one) => !base.some((b) => b.value === one)).map((one) => ({ value: one, label: one })),
        ];
        const problem = value === "" ? undefined : field.check?.(value, values);
        const extra =
          value === "" || listed.some((option) => option.value === value)
            ? []
            : [{ value, label: value, description: problem ?? vscode.l10n.t("as typed"), alwaysShow: true }];
        pick.items = [...extra, ...listed];
        pick.selectedItems = pick.items.filter((item) => selected.includes(item.value));
      });
    pick.onDidTriggerButton(() => finish(BACK));
    pick.onDidAccept(() => {
      const picked = (field.many ? pick.selectedItems : pick.activeItems).map((item) => item.value);
      const problem =
        picked.length === 0 && isRequired(field, values)
          ? field.many
            ? vscode.l10n.t("Select at least one.")
            : vscode.l10n.t("{0} is required.", field.label)
          : picked
              .map((value) =>
                offered.some((option) => option.value === value) ? undefined : field.check?.(value, values),
              )
              .find(Boolean);
      if (problem) pick.placeholder = problem;
      else finish(picked.join(","));
    });
  });
}

/** Shows a box until `finish` is called or the user closes it. */
export function answered<Answer>(
  box: vscode.QuickInput,
  listen: (finish: (answer: Answer | undefined) => void) => void,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const finish = (answer: Answer | undefined) => {
      resolve(answer);
      box.dispose();
    };
    listen(finish);
    box.onDidHide(() => finish(undefined));
    box.show();
  });
}

function pickRow<Row extends vscode.QuickPickItem & { field?: FormField }>(
  title: string,
  placeholder: string,
  rows: readonly Row[],
  active: string | undefined,
): Promise<Row | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = rows;
  // With an empty list no row would be active, and Enter would close the form.
  const field = active === undefined ? undefined : rows.find((row) => row.field?.name === active);
  if (field) pick.activeItems = [field];
  return answered(pick, (finish) => pick.onDidAccept(() => finish(pick.activeItems[0])));
}

function prepare(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem & { value: string }>,
  { title, step, totalSteps, canGoBack }: Step,
): void {
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  // Clicking elsewhere, for example to look something up, must not discard the input.
  input.ignoreFocusOut = true;
  input.buttons = canGoBack ? [vscode.QuickInputButtons.Back] : [];
}
