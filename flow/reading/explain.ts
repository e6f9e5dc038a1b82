/** Explains errors of `yaml` in plain words, with a fix. */
import type { YAMLError } from "yaml";

export function explain(error: YAMLError, text: string): string {
  const at = error.pos[0];
  const written = excerpt(text, at);
  switch (error.code) {
    case "MISSING_CHAR":
      if (/closing "/.test(error.message))
        return "Unterminated double-quoted string. Add the closing quote, or remove this one.";
      if (/closing '/.test(error.message))
        return "Unterminated single-quoted string. Add the closing quote, and write an apostrophe inside as `''`.";
      if (/map values/.test(error.message)) return `${written}looks like a key. Add a colon after it.`;
      if (/Comments must/.test(error.message))
        return "A comment needs a space before `#`. Add one, or quote the text if `#` is part of it.";
      if (/leading empty lines/.test(error.message))
        return "The leading empty lines are indented more than the text. Remove their spaces.";
      if (/explicit indentation/.test(error.message))
        return "The first lines of this text have different indentation. Indent them equally.";
      if (/flow (map|sequence|collection)|\]|\}|,/.test(error.message))
        return "Missing comma or closing bracket in this `[…]` or `{…}`.";
      return "Missing colon, comma, quote, or bracket.";
    case "BAD_INDENT": {
      const closing = /must be sufficiently indented and end with a ([\]}])/.exec(error.message)?.[1];
      if (closing !== undefined && text[at] !== closing)
        return `The \`${closing === "]" ? "[" : "{"}\` before this isn't closed. Add \`${closing}\`.`;
      if (/Flow end|flow collection/i.test(error.message))
        return "The closing bracket isn't indented enough. Indent it more than its key.";
      if (/Block scalar/.test(error.message)) return "This text isn't indented enough. Indent it more than its key.";
      return "Inconsistent indentation. Align this line with the lines it belongs to.";
    }
    case "TAB_AS_INDENT":
      return "YAML doesn't allow tabs for indentation. Use spaces.";
    case "BLOCK_AS_IMPLICIT_KEY":
      return 'Unexpected second colon on this line. Quote the text: `"…: …"`.';
    case "BLOCK_IN_FLOW":
      return "Indented lists and texts aren't allowed inside `[…]` and `{…}`. Use brackets and quotes.";
    case "MULTILINE_IMPLICIT_KEY":
      return `${written}has no colon. Add a colon after the key, or indent the line if it belongs to the text above.`;
    case "BAD_SCALAR_START":
      return `An unquoted text can't start with \`${text[at] ?? ""}\`. Quote the text.`;
    case "BAD_DQ_ESCAPE":
      return `\`${text.slice(at, at + 2)}\` isn't a valid escape in double quotes. Double the backslash, or use single quotes.`;
    case "BAD_ALIAS":
      return "An anchor or alias needs a name, such as `&base` or `*base`.";
    case "ALIAS_PROPS":
      return "An alias can't have an anchor or a tag. Remove it.";
    case "MULTIPLE_ANCHORS":
      return "A value can have only one anchor. Remove the others.";
    case "MULTIPLE_TAGS":
      return "A value can have only one tag. Remove the others.";
    case "TAG_RESOLVE_FAILED":
      return "The tag doesn't match its value. Remove the tag.";
    case "BAD_PROP_ORDER":
      return "Anchors and tags go between the colon and the value, on the same line.";
    case "BAD_COLLECTION_TYPE":
      return "The tag doesn't match its value. Remove the tag.";
    case "MULTIPLE_DOCS":
      return "A flow file must be a single YAML document. Remove this line, or move the rest to another file.";
    case "BAD_DIRECTIVE":
      return "Unknown directive. Remove this line.";
    case "UNEXPECTED_TOKEN":
      return unexpected(error.message, written);
    case "RESOURCE_EXHAUSTION":
      return "Nested too deeply. Reduce the nesting.";
    default:
      return `${written}can't be parsed here. Check the quotes, brackets, colons, and indentation around it.`;
  }
}

function unexpected(message: string, written: string): string {
  if (/block scalar header/i.test(message))
    return "Text after `|` or `>` must start on the next line. Move it there and indent it.";
  if (/flow-(map|seq)-end|\]|\}/.test(message)) return "Unmatched closing bracket. Remove it, or quote the text.";
  if (/seq-item-ind|block-seq/.test(message))
    return "A list item (`- `) can't start here. Move it to its own line below the key.";
  return `${written}isn't allowed here. Check the quotes, brackets, and indentation around it, and quote text with special characters.`;
}

/** The text at a place, short enough for a sentence. */
function excerpt(text: string, at: number): string {
  const word = /^[^\s]{1,40}/.exec(text.slice(at, at + 40))?.[0];
  return word ? `\`${word}\` ` : "This ";
}
