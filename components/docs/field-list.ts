import {
  describeSchema,
  type FieldSchema,
  type ObjectSchema,
} from "#lib/api/http/schema-messages.ts";

/** A field of an object. */
export interface Field {
  /** The name of the field with those of the fields around it: `silences[].start`. */
  readonly name: string;
  /** Its allowed values. */
  readonly values: string;
  readonly isOptional: boolean;
  readonly description: string | undefined;
}

/** The fields of an object, each followed by those inside. */
export function listFields(schema: ObjectSchema, prefix = ""): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, own]) => {
    const name = `${prefix}${key}`;
    const isOptional = !required.includes(key);
    const field = { name, values: describeSchema(own), isOptional, description: own.description };
    return [field, ...listFields(...innerOf(own, name))];
  });
}

/** The object of a field, of its values that are not null, or of the items of its list. */
function innerOf(schema: FieldSchema, name: string): [ObjectSchema, string] {
  const present = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  return present.items ? innerOf(present.items, `${name}[]`) : [present, `${name}.`];
}
