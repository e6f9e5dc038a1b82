/** Says in plain words what `yaml` complains about, and what to do. */
import type { YAMLError } from "yaml";

export function explain(error: YAMLError, text: string): string {
  const at = error.pos[0];
  const written = excerpt(text, at);
  switch (error.code) {
    case "MISSING_CHAR":
      if (/closing "/.test(error.message))
        return 'This text starts with a double quote (") that is never closed. Close it on the same line, or take it away.';
      if (/closing '/.test(error.message))
        return "This text starts with a single quote (') that is never closed. Close it, or take it away; write an apostrophe inside as ''.";
      if (/map values/.test(error.message)) return `${written}stands where a key belongs. Put a colon after it.`;
      if (/Comments must/.test(error.message))
        return "A comment needs a space before its `#`. Add one, or quote the text if the `#` belongs to it.";
      if (/leading empty lines/.test(error.message))
        return "The empty lines at the start of this text are indented deeper than the text. Take their spaces away.";
      if (/explicit indentation/.test(error.message))
        return "The first lines of this text are indented differently. Indent them alike.";
      if (/flow (map|sequence|collection)|\]|\}|,/.test(error.message))
        return "Something is missing in this `[…]` or `{…}`: a comma between two parts, or the closing bracket.";
      return "Something is missing here: a colon, a comma, a quote or a bracket.";
    case "BAD_INDENT":
      if (/Flow end|flow collection/i.test(error.message))
        return "The closing bracket stands too far left. Indent it deeper than the key it belongs to.";
      if (/Block scalar/.test(error.message))
        return "The lines of this text are not indented deep enough. Indent them deeper than the key above.";
      return "This line is indented differently from the lines it belongs with. Line it up with them.";
    case "TAB_AS_INDENT":
      return "This line is indented with a tab. Indent with spaces only.";
    case "BLOCK_AS_IMPLICIT_KEY":
      return 'There is a second colon in this line. Put the text in quotes: "…: …".';
    case "BLOCK_IN_FLOW":
      return "Inside `[…]` and `{…}` there can be no indented lists or texts. Write this part with brackets and quotes too.";
    case "MULTILINE_IMPLICIT_KEY":
      return `${written}has no colon on its line. Put a colon after the key, or indent the line if it belongs to the text above.`;
    case "BAD_SCALAR_START":
      return `A text cannot start with \`${text[at] ?? ""}\`. Put it in quotes.`;
    case "BAD_DQ_ESCAPE":
      return `\`${text.slice(at, at + 2)}\` means nothing inside double quotes. Write the backslash twice, or use single quotes.`;
    case "BAD_ALIAS":
      return "An anchor (&) or alias (*) needs a name right after it, such as `&base` and `*base`.";
    case "ALIAS_PROPS":
      return "An alias (*name) stands alone: take the anchor or tag beside it away.";
    case "MULTIPLE_ANCHORS":
      return "A value can have one anchor (&name) only. Take the others away.";
    case "MULTIPLE_TAGS":
      return "A value can have one tag (!name) only. Take the others away.";
    case "TAG_RESOLVE_FAILED":
      return "This tag does not fit its value. Take the tag away.";
    case "BAD_PROP_ORDER":
      return "Anchors (&name) and tags (!name) stand after the colon and before the value, on one line.";
    case "BAD_COLLECTION_TYPE":
      return "This tag does not fit its value. Take the tag away.";
    case "MULTIPLE_DOCS":
      return "A flow file is one document. Take the `---` or `...` away, or put what follows into a file of its own.";
    case "BAD_DIRECTIVE":
      return "A line that starts with % is a directive, which is not known. Take it away.";
    case "UNEXPECTED_TOKEN":
      return unexpected(error.message, written);
    case "RESOURCE_EXHAUSTION":
      return "This is nested too deep to be read. Make it flatter.";
    default:
      return `${written}cannot be read here. Check the quotes, brackets, colons and indentation around it.`;
  }
}

function unexpected(message: string, written: string): string {
  if (/block scalar header/i.test(message))
    return "After `|` or `>` the text starts on the next line. Move it there, indented.";
  if (/flow-(map|seq)-end|\]|\}/.test(message))
    return "This closing bracket has no opening one. Take it away, or quote the text.";
  if (/seq-item-ind|block-seq/.test(message))
    return "A list item (`- `) cannot start here. Put it on a line of its own, below its key.";
  return `${written}cannot stand here. Check the quotes, brackets and indentation around it; text with special characters goes in quotes.`;
}

/** What is written at a place, short enough for a sentence. */
function excerpt(text: string, at: number): string {
  const word = /^[^\s]{1,40}/.exec(text.slice(at, at + 40))?.[0];
  return word ? `\`${word}\` ` : "This ";
}
