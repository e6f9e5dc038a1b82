/** The part of the package's types that the tests need. */
declare module "markdown-it" {
  export interface Token {
    readonly type: string;
    readonly content: string;
    readonly markup: string;
    readonly children: readonly Token[] | null;
    attrGet(name: string): string | null;
  }
  export default class MarkdownIt {
    constructor(options: { html?: boolean; linkify?: boolean });
    validateLink: (url: string) => boolean;
    parse(text: string, environment: object): Token[];
  }
}
