import { pythonKeywords } from "#components/code/snippets/python.ts";
import type { FieldSchema } from "#lib/api/http/schema-messages.ts";

type ObjectSchema = FieldSchema & {
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FieldSchema;
};

/** Collects classes of Python for objects of JSON Schemas. */
export class PythonTypes {
  /** Lines of the classes, each after those that it uses. */
  readonly classes: string[] = [];

  /**
   * Adds a class for an object. Its required keys are in a class of their own, because Python 3.9 cannot
   * mark single ones.
   */
  addClass(name: string, schema: ObjectSchema, description: string): void {
    const { properties = {}, required = [] } = schema;
    const entries = Object.entries(properties).map(([key, property]) => ({
      isRequired: required.includes(key),
      lines: this.#field(name, key, property),
    }));
    const lines = (isRequired: boolean) =>
      entries.filter((entry) => entry.isRequired === isRequired).flatMap((entry) => entry.lines);
    const [needed, others] = [lines(true), lines(false)];
    const base = needed.length > 0 ? `_${name}Required` : "TypedDict";
    if (needed.length > 0) this.classes.push("", `class ${base}(TypedDict):`, ...needed, "");
    this.classes.push("", `class ${name}(${base}, total=False):`);
    this.classes.push(`    """${clean(description)}"""`, "");
    if (others.length > 0) this.classes.push(...others, "");
  }

  /** Adds the class of what `run` takes: parameters, files and fields of the job. */
  addRunClass(name: string, bases: readonly string[], parts: readonly string[]): void {
    const fields = parts.map((part) => `    ${part}: FileInput`);
    this.classes.push("", `class ${name}(${bases.join(", ")}, total=False):`);
    this.classes.push(...(fields.length > 0 ? fields : ["    pass"]), "");
  }

  #field(owner: string, key: string, schema: FieldSchema): string[] {
    const name = pythonKeywords.has(key) ? `${key}_` : key;
    if (!/^[a-z_]\w*$/i.test(name)) throw new Error(`${owner}: no name in Python for ${key}`);
    const initial =
      schema.default === undefined ? "" : ` Default: ${JSON.stringify(schema.default)}.`;
    const text = clean(`${schema.description ?? ""}${initial}`.trim());
    const type = this.#type(`${owner.replace(/Params$/, "")}${pascalCase(key)}`, schema);
    return [`    ${name}: ${type}`, ...(text ? [`    """${text}"""`] : [])];
  }

  /** The type of a value. `name` is for the class of an object. */
  #type(name: string, schema: FieldSchema): string {
    if (schema.enum) return `Literal[${schema.enum.map((one) => JSON.stringify(one)).join(", ")}]`;
    if (schema.anyOf) {
      const types = [...new Set(schema.anyOf.map((one) => this.#type(name, one)))];
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
      case "array":
        return `Sequence[${schema.items ? this.#type(name.replace(/s$/, ""), schema.items) : "Any"}]`;
      case "object":
        return this.#object(name, schema);
      default:
        return "Any";
    }
  }

  #object(name: string, schema: ObjectSchema): string {
    const { properties = {}, additionalProperties, description = "" } = schema;
    if (Object.keys(properties).length > 0) {
      this.addClass(name, schema, description);
      return name;
    }
    const isTyped = typeof additionalProperties === "object";
    return `Mapping[str, ${isTyped ? this.#type(`${name}Value`, additionalProperties) : "Any"}]`;
  }
}

const pascalCase = (text: string) =>
  text.replaceAll(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** For a docstring. */
const clean = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', "'").replaceAll(/\s+/g, " ").trim();
