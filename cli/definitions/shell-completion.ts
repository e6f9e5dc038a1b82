/** Generates shell completions from the command definitions. */
import type { CommandDefinition, OptionDefinition } from "../command";
import { definitions, groups, PROGRAM } from ".";

export type Shell = "bash" | "zsh" | "fish";

export function completionScript(shell: Shell): string {
  return { bash, zsh, fish }[shell]();
}

/** Possible first words, with their descriptions. */
const firstWords: readonly (readonly [string, string])[] = [
  ...definitions.filter(({ name }) => !name.includes(" ")).map(({ name, summary }) => [name, summary] as const),
  ...Object.entries(groups),
];

const grouped = (group: string) =>
  definitions
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, summary }) => [name.slice(group.length + 1), summary] as const);

function flagOf({ flags }: OptionDefinition): string {
  return flags.split(" ")[0] as string;
}

const optionsOf = ({ options = [] }: CommandDefinition) => [...options.map(flagOf), "--help"];

const takesValue = ({ flags }: OptionDefinition) => flags.includes("<");

/** The choices of each flag and argument of a command. */
const choicesOf = ({ options = [] }: CommandDefinition) =>
  options.flatMap((option) => (option.choices ? [[flagOf(option), option.choices] as const] : []));

const wordsFor = ({ args = [] }: CommandDefinition) => args.flatMap((arg) => arg.choices ?? []);

function bash(): string {
  const cases = definitions.map((definition) => {
    const values = choicesOf(definition).map(([flag, words]) => `      ${flag}) words="${words.join(" ")}" ;;`);
    const free = (definition.options ?? []).filter((option) => takesValue(option) && !option.choices).map(flagOf);
    const files = wordsFor(definition).length === 0 ? " files=1" : "";
    const own = [...optionsOf(definition), ...wordsFor(definition)].join(" ");
    return [
      `    "${definition.name}")`,
      `      case "$before" in`,
      ...values,
      ...(free.length > 0 ? [`      ${free.join("|")}) files=1 ;;`] : []),
      `      *) words="${own}"${files} ;;`,
      "      esac ;;",
    ].join("\n");
  });
  const groupCases = Object.keys(groups).map(
    (group) =>
      `    ${group}) words="${grouped(group)
        .map(([word]) => word)
        .join(" ")}" ;;`,
  );
  return `# ${PROGRAM.name} completions for bash.
_assistant_flow() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words="" files=""
  local command="\${COMP_WORDS[1]}"
  case "$command" in
    ${Object.keys(groups).join("|")}) command="$command \${COMP_WORDS[2]}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${firstWords.map(([word]) => word).join(" ")} --help --version"
  elif [ "$COMP_CWORD" -eq 2 ] && [[ "$command" == *" "* ]]; then
    case "\${COMP_WORDS[1]}" in
${groupCases.join("\n")}
    esac
  else
    case "$command" in
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -n "$files" ] && [[ "$current" != -* ]]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _assistant_flow ${PROGRAM.name}
`;
}

function zsh(): string {
  const quote = (text: string) => text.replace(/'/g, "'\\''").replace(/([[\]:])/g, "\\$1");
  const spec = (option: OptionDefinition) => {
    const values = option.choices ? `:value:(${option.choices.join(" ")})` : takesValue(option) ? ":value:_files" : "";
    return `'${option.many ? "*" : ""}${flagOf(option)}[${quote(option.about)}]${values}'`;
  };
  const commandCase = (definition: CommandDefinition, word: string) => {
    const words = wordsFor(definition);
    const rest = words.length > 0 ? `'1:word:(${words.join(" ")})'` : "'*:file:_files'";
    const parts = [...(definition.options ?? []).map(spec), "'--help[show help]'", rest];
    return `    ${word}) _arguments ${parts.join(" ")} ;;`;
  };
  const described = (words: readonly (readonly [string, string])[]) =>
    words.map(([word, about]) => `'${word}:${quote(about)}'`).join(" ");
  const single = definitions.filter(({ name }) => !name.includes(" ")).map((each) => commandCase(each, each.name));
  const group = Object.keys(groups).map((name) => {
    const inside = definitions
      .filter((each) => each.name.startsWith(`${name} `))
      .map((each) => commandCase(each, each.name.slice(name.length + 1)));
    return [
      `    ${name})`,
      "      if (( CURRENT == 2 )); then",
      `        local -a subcommands=(${described(grouped(name))})`,
      "        _describe 'command' subcommands",
      "      else",
      "        (( CURRENT-- )); shift words",
      '        case "$words[1]" in',
      ...inside.map((line) => `    ${line}`),
      "        esac",
      "      fi ;;",
    ].join("\n");
  });
  return `#compdef ${PROGRAM.name}
# ${PROGRAM.name} completions for zsh.
_assistant_flow() {
  if (( CURRENT == 2 )); then
    local -a commands=(${described(firstWords)})
    _describe 'command' commands
    return
  fi
  (( CURRENT-- )); shift words
  case "$words[1]" in
${[...single, ...group].join("\n")}
  esac
}
if [ "$funcstack[1]" = "_assistant_flow" ] || [ "$funcstack[1]" = "_assistant-flow" ]; then
  _assistant_flow "$@"
else
  compdef _assistant_flow ${PROGRAM.name}
fi
`;
}

function fish(): string {
  const quote = (text: string) => `'${text.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`;
  const lines = firstWords.map(
    ([word, about]) => `complete -c ${PROGRAM.name} -n __fish_use_subcommand -f -a ${word} -d ${quote(about)}`,
  );
  for (const group of Object.keys(groups)) {
    const inside = grouped(group);
    const seen = inside.map(([word]) => word).join(" ");
    const when = quote(`__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${seen}`);
    for (const [word, about] of inside)
      lines.push(`complete -c ${PROGRAM.name} -n ${when} -f -a ${word} -d ${quote(about)}`);
  }
  for (const definition of definitions) {
    const words = definition.name.split(" ");
    const when = quote(words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and "));
    for (const option of definition.options ?? []) {
      const value = option.choices ? ` -x -a ${quote(option.choices.join(" "))}` : takesValue(option) ? " -r" : "";
      lines.push(
        `complete -c ${PROGRAM.name} -n ${when} -l ${flagOf(option).slice(2)}${value} -d ${quote(option.about)}`,
      );
    }
    const own = wordsFor(definition);
    if (own.length > 0) lines.push(`complete -c ${PROGRAM.name} -n ${when} -f -a ${quote(own.join(" "))}`);
  }
  return `# ${PROGRAM.name} completions for fish.\n${lines.join("\n")}\n`;
}
