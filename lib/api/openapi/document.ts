import { env } from "#lib/env.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { accountPaths } from "./account-paths.ts";
import { filePaths } from "./file-paths.ts";
import { headers } from "./headers.ts";
import { jobPaths } from "./job-paths.ts";
import { groupTags, operationPath } from "./operation-paths.ts";
import { parameters } from "./parameters.ts";
import { refusalResponses } from "./refusals.ts";
import { schemas } from "./schemas.ts";
import { webhookPaths } from "./webhook-paths.ts";

/** `GET /openapi.json`: the whole API as OpenAPI 3.1, made from the catalogue and the schemas in force. */
export async function answerOpenApi(): Promise<Response> {
  return Response.json(openApiDocument(), {
    headers: { "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=60" },
  });
}

export function openApiDocument() {
  const operationPaths = operations.map((one) => [`/v1/${one.id}`, operationPath(one)]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Mediamill",
      version: "1.0.0",
      description: [
        "Media processing over HTTP: every transformation is a background job.",
        "Every refusal is `{error}`, one sentence, with the header `X-Error-Code` for programs.",
        "A path with another method answers 405 with `Allow`; GET also answers HEAD.",
      ].join(" "),
    },
    servers: [{ url: env.APP_URL }],
    tags: [...Object.values(groupTags), "Jobs", "Account"].map((name) => ({ name })),
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths: {
      ...Object.fromEntries(operationPaths),
      ...jobPaths,
      ...filePaths,
      ...webhookPaths,
      ...accountPaths,
    },
    components: {
      securitySchemes: {
        ApiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "A key of your account: `mm_live_` and 36 characters.",
        },
        Bearer: { type: "http", scheme: "bearer", description: "The same key as a bearer token." },
      },
      schemas,
      headers,
      parameters,
      responses: refusalResponses,
    },
  };
}
