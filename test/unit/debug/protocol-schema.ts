/**
 * Converts the protocol's types (`@vscode/debugprotocol` has no other schema) to JSON Schema: one closed schema for
 * each interface, so unknown fields are detected too.
 */
import { readFileSync } from "node:fs";
import Ajv, { type ValidateFunction } from "ajv";
import { inProject } from "../../../scripts/project";

type Schema = { [key: string]: unknown };

interface Members {
  readonly properties: Schema;
  readonly required: readonly string[];
  /** The type of an index signature; false if there is none. */
  readonly additional: unknown;
}

interface Message {
  readonly type: string;
  readonly event?: string;
  readonly command?: string;
  readonly success?: boolean;
}

export class ProtocolSchema {
  readonly #names: ReadonlySet<string>;
  readonly #ajv = new Ajv({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor() {
    const file = inProject("node_modules/@vscode/debugprotocol/lib/debugProtocol.d.ts");
    const definitions = new Declarations(readFileSync(file, "utf8")).read();
    this.#names = new Set(Object.keys(definitions));
    this.#ajv.addSchema({ $id: "dap", definitions });
  }

  get names(): string[] {
    return [...this.#names];
  }

  /** The problems of a message; empty if it is valid. */
  problems(message: Message): string[] {
    const name = this.#nameFor(message);
    let validate = this.#validators.get(name);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `dap#/definitions/${name}` });
      this.#validators.set(name, validate);
    }
    if (validate(message)) return [];
    const errors = validate.errors ?? [];
    return errors.map(
      ({ instancePath, message, params }) => `${name}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  }

  #nameFor({ type, event, command, success }: Message): string {
    const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
    if (type === "response" && success === false) return "ErrorResponse";
    const named = capital((type === "event" ? event : command) ?? "") + capital(type);
    if (this.#names.has(named)) return named;
    if (!(event ?? command ?? "").startsWith("assistantFlow.")) throw new Error(`The protocol has no ${named}.`);
    return capital(type);
  }
}

/** Parses the subset of TypeScript that the declarations use; anything else is an error. */
class Declarations {
  readonly #tokens: readonly string[];
  readonly #interfaces = new Map<string, Members>();
  #at = 0;

  constructor(text: string) {
    const plain = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
    this.#tokens = plain.match(/[A-Za-z_$][\w$]*|'[^']*'|"[^"]*"|\[\]|[{}[\]()|:;?<>,.=]/g) ?? [];
  }

  read(): Schema {
    const definitions: Schema = {};
    while (this.#at < this.#tokens.length) {
      const token = this.#next();
      if (token === "interface") {
        const name = this.#next();
        const bases = this.#accept("extends") ? [this.#next()] : [];
        const members = this.#members(bases.map((base) => this.#interfaces.get(base) as Members));
        this.#interfaces.set(name, members);
        definitions[name] = schemaOf(members);
      } else if (token === "type") {
        const name = this.#next();
        this.#expect("=");
        definitions[name] = this.#type();
      }
    }
    return definitions;
  }

  /** The members of the extended interfaces, overridden by those in braces. */
  #members(bases: readonly Members[]): Members {
    const properties: Schema = {};
    const required = new Set<string>();
    let additional: unknown = false;
    for (const base of bases) {
      Object.assign(properties, base.properties);
      for (const name of base.required) required.add(name);
      if (base.additional !== false) additional = base.additional;
    }
    this.#expect("{");
    while (!this.#accept("}")) {
      if (this.#accept("[")) {
        while (!this.#accept("]")) this.#next();
        this.#expect(":");
        additional = this.#type();
      } else {
        const name = this.#next().replace(/^['"]|['"]$/g, "");
        required.delete(name);
        if (!this.#accept("?")) required.add(name);
        this.#expect(":");
        properties[name] = this.#type();
      }
      this.#accept(";");
    }
    return { properties, required: [...required], additional };
  }

  #type(): Schema {
    const kinds = [this.#one()];
    while (this.#accept("|")) kinds.push(this.#one());
    return kinds.length === 1 ? (kinds[0] as Schema) : { anyOf: kinds };
  }

  #one(): Schema {
    let schema = this.#plain();
    while (this.#accept("[]")) schema = { type: "array", items: schema };
    return schema;
  }

  #plain(): Schema {
    if (this.#tokens[this.#at] === "{") return schemaOf(this.#members([]));
    const token = this.#next();
    if (token === "(") {
      const inside = this.#type();
      this.#expect(")");
      return inside;
    }
    if (/^['"]/.test(token)) return { const: token.slice(1, -1) };
    if (["string", "number", "boolean", "object", "null"].includes(token)) return { type: token };
    if (token === "any") return {};
    if (/^[A-Z]\w*$/.test(token)) return { $ref: `dap#/definitions/${token}` };
    throw new Error(`A type that isn't known: ${token}`);
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? "";
  }

  #accept(token: string): boolean {
    const isThere = this.#tokens[this.#at] === token;
    if (isThere) this.#at++;
    return isThere;
  }

  #expect(token: string): void {
    if (!this.#accept(token))
      throw new Error(`Expected ${token} before ${this.#tokens.slice(this.#at, this.#at + 8).join(" ")}`);
  }
}

function schemaOf({ properties, required, additional }: Members): Schema {
  return { type: "object", properties, required, additionalProperties: additional };
}
