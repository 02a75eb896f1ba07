import { pythonKeywords } from "#components/code/snippets/python.ts";
import {
  componentName,
  type FieldSchema,
  type ObjectSchema,
} from "#lib/api/http/schema-messages.ts";

/** Collects classes of Python for objects of JSON Schemas. */
export class PythonTypes {
  /** The lines of the classes, each after those that it uses. */
  readonly classes: string[] = [];
  readonly #list: string;
  readonly #mapping: string;

  /**
   * The constructor takes whether the types are what a client sends. Any sequence and mapping is
   * allowed then.
   */
  constructor({ isReadonly }: { readonly isReadonly: boolean }) {
    this.#list = isReadonly ? "Sequence" : "List";
    this.#mapping = isReadonly ? "Mapping" : "Dict";
  }

  /**
   * Adds a class for an object. If only some keys are required, these are in a class of their own, because
   * Python 3.9 cannot mark single ones.
   */
  addClass(name: string, schema: ObjectSchema, description: string): void {
    const { properties = {}, required = [] } = schema;
    const entries = Object.entries(properties).map(([key, property]) => ({
      isRequired: required.includes(key),
      lines: this.#field(name, key, property),
    }));
    const lines = (isRequired: boolean) =>
      entries.filter((entry) => entry.isRequired === isRequired).flatMap((entry) => entry.lines);
    const needed = lines(true);
    const others = lines(false);
    const isSplit = needed.length > 0 && others.length > 0;
    const base = isSplit ? `_${name}Required` : "TypedDict";
    if (isSplit) this.classes.push("", `class ${base}(TypedDict):`, ...needed, "");
    const total = needed.length > 0 && !isSplit ? "" : ", total=False";
    const doc = clean(description);
    const body = [
      ...(doc ? [`    """${doc}"""`, ""] : []),
      ...(isSplit ? others : [...needed, ...others]),
    ];
    this.classes.push(
      "",
      `class ${name}(${base}${total}):`,
      ...(body.length > 0 ? body : ["    pass"]),
    );
    if (body.at(-1) !== "") this.classes.push("");
  }

  /** Adds the class of what `run` takes: parameters, files and fields of the job. */
  addRunClass(name: string, bases: readonly string[], parts: readonly string[]): void {
    const fields = parts.map((part) => `    ${part}: FileInput`);
    this.classes.push("", `class ${name}(${bases.join(", ")}, total=False):`);
    this.classes.push(...(fields.length > 0 ? fields : ["    pass"]), "");
  }

  /** Adds the type of a result: a class for an object, else an alias. */
  addResult(name: string, schema: FieldSchema): void {
    const type = this.#type(name, schema);
    if (type !== name) this.classes.push("", `${name} = ${type}`, "");
  }

  #field(owner: string, key: string, schema: FieldSchema): string[] {
    const name = pythonKeywords.has(key) ? `${key}_` : key;
    if (!/^[a-z_]\w*$/i.test(name)) throw new Error(`${owner}: no name in Python for ${key}`);
    const initial =
      schema.default === undefined ? "" : ` Default: ${JSON.stringify(schema.default)}.`;
    const text = clean(`${schema.description ?? ""}${initial}`.trim());
    const type = this.#type(`${owner.replace(/(?:Params|Data)$/, "")}${pascalCase(key)}`, schema);
    return [`    ${name}: ${type}`, ...(text ? [`    """${text}"""`] : [])];
  }

  /** The type of a value. `name` is for the class of an object. */
  #type(name: string, schema: FieldSchema): string {
    if (schema.$ref) return `${componentName(schema.$ref)}Data`;
    if (schema.enum) return `Literal[${schema.enum.map((one) => JSON.stringify(one)).join(", ")}]`;
    if (schema.anyOf) {
      const objects = schema.anyOf.filter(({ properties }) => properties);
      const nameOf = (one: FieldSchema) =>
        objects.length > 1 && one.properties ? `${name}${objects.indexOf(one) + 1}` : name;
      const types = [...new Set(schema.anyOf.map((one) => this.#type(nameOf(one), one)))];
      return types.includes("Any") ? "Any" : `Union[${types.join(", ")}]`;
    }
    switch (schema.type) {
      case "integer":
        return "int";
      case "number":
        return "float";
      case "string":
        return "str";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `${this.#list}[${schema.items ? this.#type(name.replace(/s$/, ""), schema.items) : "Any"}]`;
      case "object":
        return this.#object(name, schema);
      default:
        return "Any";
    }
  }

  #object(name: string, schema: ObjectSchema): string {
    const { properties = {}, additionalProperties, description = "" } = schema;
    const keys = Object.keys(properties);
    const areNames = keys.every((key) => /^[a-z_]\w*$/i.test(key) && !pythonKeywords.has(key));
    if (keys.length > 0 && !areNames) return `${this.#mapping}[str, Any]`;
    if (keys.length > 0) {
      this.addClass(name, schema, description);
      return name;
    }
    const isTyped = typeof additionalProperties === "object";
    return `${this.#mapping}[str, ${isTyped ? this.#type(`${name}Value`, additionalProperties) : "Any"}]`;
  }
}

const pascalCase = (text: string) =>
  text.replaceAll(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Cleans a text for a docstring. */
const clean = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', "'").replaceAll(/\s+/g, " ").trim();
