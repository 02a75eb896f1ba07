import {
  componentName,
  type FieldSchema,
  type ObjectSchema,
} from "#lib/api/http/schema-messages.ts";

/** Types of TypeScript for JSON Schemas. */
export class TypeScriptTypes {
  readonly #isReadonly: boolean;

  constructor({ isReadonly }: { readonly isReadonly: boolean }) {
    this.#isReadonly = isReadonly;
  }

  /** The type of what a JSON Schema describes. */
  typeOf(schema: FieldSchema, indent: string): string {
    if (schema.$ref) return `${componentName(schema.$ref)}Data`;
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (schema.anyOf) {
      return [...new Set(schema.anyOf.map((one) => this.typeOf(one, indent)))].join(" | ");
    }
    switch (schema.type) {
      case "number":
      case "integer":
        return "number";
      case "string":
      case "boolean":
      case "null":
        return schema.type;
      case "array": {
        const item = schema.items ? this.typeOf(schema.items, indent) : "unknown";
        const mark = this.#isReadonly ? "readonly " : "";
        return item.includes("|") ? `${mark}(${item})[]` : `${mark}${item}[]`;
      }
      case "object":
        return this.#object(schema, indent);
      default:
        return "unknown";
    }
  }

  /** The fields of an object, one or two lines each. */
  fields({ properties = {}, required = [] }: ObjectSchema, indent: string): string[] {
    return Object.entries(properties).flatMap(([name, property]) => {
      const mark = required.includes(name) ? "" : "?";
      const initial =
        property.default === undefined ? "" : ` Default: ${JSON.stringify(property.default)}.`;
      const text = `${property.description ?? ""}${initial}`.trim();
      const comment = text ? [`${indent}/** ${toComment(text)} */`] : [];
      const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
      return [...comment, `${indent}${key}${mark}: ${this.typeOf(property, indent)};`];
    });
  }

  #object(schema: ObjectSchema, indent: string): string {
    const { properties = {}, additionalProperties } = schema;
    if (Object.keys(properties).length === 0) {
      if (additionalProperties === false) return "Record<never, never>";
      const isTyped = typeof additionalProperties === "object";
      const value = isTyped ? this.typeOf(additionalProperties, indent) : "unknown";
      const type = `Record<string, ${value}>`;
      return this.#isReadonly ? `Readonly<${type}>` : type;
    }
    return `{\n${this.fields(schema, `${indent}  `).join("\n")}\n${indent}}`;
  }
}

export const toComment = (text: string) => text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
