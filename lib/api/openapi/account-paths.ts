import { rateHeaderNames, withHeaders } from "./headers.ts";
import { refusals } from "./refusals.ts";
import { jsonBody, schemaRef } from "./schemas.ts";

const tags = ["Account"];
const open = withHeaders("Access-Control-Allow-Origin");

const usage = {
  tags,
  operationId: "readUsage",
  summary: "Read the usage of the current month, UTC.",
  responses: {
    200: {
      description: "The usage.",
      headers: withHeaders(...rateHeaderNames),
      content: jsonBody("Usage"),
    },
    ...refusals(401, 503),
  },
};

const listOperations = {
  tags,
  operationId: "listOperations",
  summary: "List the operations with their parameters.",
  security: [],
  responses: {
    200: {
      description: "The catalogue.",
      headers: { ...open, ...withHeaders(...rateHeaderNames) },
      content: jsonBody("OperationList"),
    },
    ...refusals(),
  },
};

const readDocument = {
  tags,
  operationId: "readDocument",
  summary: "Read this document.",
  security: [],
  responses: {
    200: { description: "The document.", headers: open, content: jsonBody("Document") },
    ...refusals(),
  },
};

const health = {
  tags,
  operationId: "readHealth",
  summary: "Tell whether the web process lives.",
  security: [],
  responses: {
    200: { description: "It does.", headers: withHeaders(), content: jsonBody("Health") },
    ...refusals(),
  },
};

const readiness = {
  tags,
  operationId: "readReadiness",
  summary: "Tell whether jobs can be taken and worked on.",
  security: [],
  responses: {
    200: { description: "They can.", headers: withHeaders(), content: jsonBody("Readiness") },
    ...refusals(),
    503: {
      description: "The database or a media runner is missing.",
      headers: withHeaders("Retry-After"),
      content: {
        "application/json": { schema: { anyOf: [schemaRef("Readiness"), schemaRef("Error")] } },
      },
    },
  },
};

/** What is about the account, and about the service itself. */
export const accountPaths = {
  "/v1/usage": { get: usage },
  "/v1/operations": { get: listOperations },
  "/openapi.json": { get: readDocument },
  "/healthz": { get: health },
  "/readyz": { get: readiness },
};
