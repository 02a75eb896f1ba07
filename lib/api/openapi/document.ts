import { env } from "#lib/env.ts";
import type { Endpoint, JsonSchema } from "../definition/endpoint.ts";
import { endpointTags } from "../definition/endpoint.ts";
import { errorSchema } from "../definition/errors.ts";
import { responseHeaders } from "../definition/response-headers.ts";
import { errorComponents } from "./error-responses.ts";
import { parameterComponents } from "./parameters.ts";
import { documentPaths } from "./paths.ts";
import { responseSchema, type SchemaComponents } from "./schemas.ts";

/** The API as OpenAPI 3.1, generated from the definitions of the endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[]): JsonSchema {
  const schemas: SchemaComponents = {};
  responseSchema(errorSchema, schemas);
  const paths = documentPaths(endpoints, schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Mediamill",
      version: "1.0.0",
      description: [
        "Media processing over HTTP. Every transformation is a background job.",
        "Every error response is `{error}`, a message for people, with the header `X-Error-Code` for programs.",
        "A wrong method gets 405 with `Allow`. Every GET endpoint also responds to HEAD.",
      ].join(" "),
    },
    servers: [{ url: env.APP_URL }],
    tags: endpointTags.map((name) => ({ name })),
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        ApiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description:
            "An API key of your account: `mm_live_`, or `mm_test_` of a key for development, and 36 characters.",
        },
        Bearer: { type: "http", scheme: "bearer", description: "The API key as a bearer token." },
      },
      schemas,
      headers: responseHeaders,
      parameters: parameterComponents(),
      responses: errorComponents(),
    },
  };
}
