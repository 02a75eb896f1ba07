import { fileField } from "../catalogue.ts";
import { chainRequest } from "../create-chain.ts";
import { inputSchema } from "../http/schema-messages.ts";
import { listQuery } from "../read-jobs.ts";
import { rateHeaderNames, withHeaders } from "./headers.ts";
import { jobRequestBody, jobResponses, jsonText } from "./job-creation.ts";
import { queryParameters, withParameters } from "./parameters.ts";
import { refusals } from "./refusals.ts";
import { jsonBody, schemaRef } from "./schemas.ts";

const keyedHeaders = withHeaders(...rateHeaderNames);
const { operations: steps = {} } = inputSchema(chainRequest).properties ?? {};

const chain = {
  tags: ["Jobs"],
  operationId: "createChain",
  summary: "Run several operations, one after the other, as one job.",
  description:
    "Each operation takes the first output of the one before. All of it is checked before the job is accepted.",
  parameters: withParameters("IdempotencyKey", "Prefer"),
  requestBody: jobRequestBody({
    properties: { operations: steps },
    required: ["operations"],
    textProperties: { operations: jsonText(steps) },
    files: [],
    input: fileField("The file that the first operation takes."),
    example: {
      input: "https://example.com/photo.jpg",
      operations: [
        { type: "pipeline/strip-metadata" },
        { type: "image/sharpen", params: { sigma: 1.5 } },
        { type: "image/watermark-text", params: { text: "© Example" } },
      ],
    },
  }),
  responses: jobResponses(schemaRef("Job")),
};

const list = {
  tags: ["Jobs"],
  operationId: "listJobs",
  summary: "List jobs, newest first.",
  parameters: queryParameters(listQuery),
  responses: {
    200: {
      description: "A page of jobs.",
      headers: withHeaders(...rateHeaderNames, "X-Total-Count", "Link"),
      content: jsonBody("JobList"),
    },
    ...refusals(401, 503),
  },
};

const read = {
  tags: ["Jobs"],
  operationId: "readJob",
  summary: "Read a job, at once or when it has ended.",
  parameters: withParameters("JobId", "Wait"),
  responses: {
    200: { description: "The job.", headers: keyedHeaders, content: jsonBody("Job") },
    ...refusals(401, 404, 503),
  },
};

const remove = {
  tags: ["Jobs"],
  operationId: "deleteJob",
  summary: "Delete the files of a job that has ended; its record stays.",
  parameters: withParameters("JobId"),
  responses: {
    204: { description: "The files are deleted.", headers: keyedHeaders },
    ...refusals(401, 404, 409, 503),
  },
};

const cancel = {
  tags: ["Jobs"],
  operationId: "cancelJob",
  summary: "Cancel a job that is pending or processing.",
  parameters: withParameters("JobId"),
  responses: {
    200: { description: "The job, cancelled.", headers: keyedHeaders, content: jsonBody("Job") },
    ...refusals(401, 404, 409, 503),
  },
};

const retry = {
  tags: ["Jobs"],
  operationId: "retryJob",
  summary: "Make a new job with the input and parameters of one that failed or was cancelled.",
  parameters: withParameters("JobId"),
  responses: {
    202: {
      description: "The new job.",
      headers: withHeaders(...rateHeaderNames, "Location"),
      content: jsonBody("Job"),
    },
    ...refusals(401, 404, 409, 410, 429, 503),
  },
};

const events = {
  tags: ["Jobs"],
  operationId: "watchJob",
  summary: "Watch a job by Server-Sent Events.",
  description:
    "One event of type `job` on connect and one a change of status or progress; its data is the job as JSON. The stream ends with the job.",
  parameters: withParameters("JobId"),
  responses: {
    200: {
      description: "The events.",
      headers: keyedHeaders,
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    ...refusals(401, 404, 503),
  },
};

export const jobPaths = {
  "/v1/jobs": { get: list, post: chain },
  "/v1/jobs/{id}": { get: read, delete: remove },
  "/v1/jobs/{id}/cancel": { post: cancel },
  "/v1/jobs/{id}/retry": { post: retry },
  "/v1/jobs/{id}/events": { get: events },
};
