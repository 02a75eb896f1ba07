import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { Endpoint } from "../../definition/endpoint.ts";
import { constantJson } from "../../http/constant-json.ts";
import { openApiDocument } from "../../openapi/document.ts";

const documentSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: "Document", description: "An OpenAPI 3.1 document." });

/** The endpoint that describes `endpoints`, which contain it. */
export function defineDocumentEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  const respond = constantJson(() => openApiDocument(endpoints()));
  return defineEndpoint({
    method: "GET",
    path: "/openapi.json",
    operationId: "readDocument",
    tag: "Account",
    summary: "Read this document.",
    access: "public",
    headers: ["IfNoneMatch"],
    responses: {
      200: {
        description: "The document.",
        body: documentSchema,
        headers: ["Access-Control-Allow-Origin", "ETag"],
      },
      304: {
        description: "You have the document already.",
        headers: ["Access-Control-Allow-Origin", "ETag"],
      },
    },
    handler: ({ request }) => respond(request),
  });
}
