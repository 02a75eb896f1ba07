import type { z } from "zod";
import type { JsonSchema } from "./endpoint.ts";

/** A reference to the component of a schema that has an id, such as `Job`. */
export function schemaReference(schema: z.ZodType): JsonSchema {
  const id = schema.meta()?.id;
  if (!id) throw new Error("the schema has no id");
  return { $ref: `#/components/schemas/${id}` };
}
