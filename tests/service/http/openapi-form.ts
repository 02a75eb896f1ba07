import { z } from "zod";
import { endpointTags } from "#lib/api/definition/endpoint.ts";

/** The parts of OpenAPI 3.1 that the document uses. Anything else in it is a mistake. */

const text = z.string().min(1);
const count = z.number().int().min(0);

const schema: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ $ref: text }),
    z.strictObject({
      type: z.union([typeName, z.array(typeName).min(2)]).optional(),
      description: text.optional(),
      default: z.unknown().optional(),
      enum: z.array(z.unknown()).min(1).optional(),
      const: z.unknown().optional(),
      format: z.enum(["date-time", "uri", "password"]).optional(),
      /** The mark of secret parameters. */
      writeOnly: z.literal(true).optional(),
      pattern: text.refine((pattern) => new RegExp(pattern, "u")).optional(),
      minLength: count.optional(),
      maxLength: count.optional(),
      examples: z.array(z.unknown()).optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      multipleOf: z.number().positive().optional(),
      minItems: count.optional(),
      maxItems: count.optional(),
      items: schema.optional(),
      properties: z.record(text, schema).optional(),
      propertyNames: schema.optional(),
      additionalProperties: z.union([z.boolean(), schema]).optional(),
      maxProperties: count.optional(),
      required: z.array(text).optional(),
      contentMediaType: text.optional(),
      contentSchema: schema.optional(),
      allOf: z.array(schema).min(1).optional(),
      anyOf: z.array(schema).min(1).optional(),
      oneOf: z.array(schema).min(1).optional(),
      not: schema.optional(),
    }),
  ]),
);

const typeName = z.enum(["string", "number", "integer", "boolean", "object", "array", "null"]);
const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/\w+\/[\w-]+$/) });
const orReference = <Form extends z.ZodType>(form: Form) => z.union([reference, form]);

const header = z.strictObject({ description: text, required: z.boolean().optional(), schema });

const parameter = z.strictObject({
  name: text,
  in: z.enum(["query", "header", "path"]),
  required: z.boolean().optional(),
  description: text,
  schema,
  style: z.literal("deepObject").optional(),
  explode: z.literal(true).optional(),
  example: z.unknown().optional(),
});

const content = z.record(
  z.string().regex(/^[\w*]+\/[\w.+*-]+$/),
  z.strictObject({ schema, example: z.unknown().optional() }),
);

const response = z.strictObject({
  description: text,
  headers: z.record(text, orReference(header)),
  content: content.optional(),
});

const tag = z.enum(endpointTags);

const operation = z.strictObject({
  tags: z.array(tag).length(1),
  operationId: z.string().regex(/^[a-z][A-Za-z0-9]+$/),
  summary: z.string().regex(/^[A-Z].*\.$/),
  description: text.optional(),
  security: z.array(z.never()).optional(),
  parameters: z.array(orReference(parameter)).optional(),
  requestBody: z
    .strictObject({ required: z.boolean(), description: text.optional(), content })
    .optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), orReference(response)),
});

const method = z.enum(["get", "head", "post", "put", "patch", "delete"]);

const apiKey = z.strictObject({
  type: z.literal("apiKey"),
  in: z.literal("header"),
  name: z.literal("X-API-Key"),
  description: text,
});

const bearer = z.strictObject({
  type: z.literal("http"),
  scheme: z.literal("bearer"),
  description: text,
});

export const openApiForm = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.strictObject({ title: text, version: z.literal("1.0.0"), description: text }),
  servers: z.array(z.strictObject({ url: z.url() })).length(1),
  tags: z.array(z.strictObject({ name: tag })).length(endpointTags.length),
  security: z.tuple([
    z.strictObject({ ApiKey: z.array(z.never()) }),
    z.strictObject({ Bearer: z.array(z.never()) }),
  ]),
  paths: z.record(z.string().startsWith("/"), z.partialRecord(method, operation)),
  components: z.strictObject({
    securitySchemes: z.strictObject({ ApiKey: apiKey, Bearer: bearer }),
    schemas: z.record(text, schema),
    headers: z.record(text, header),
    parameters: z.record(text, parameter),
    responses: z.record(text, response),
  }),
});
