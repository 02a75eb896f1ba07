import { inputSchema } from "../http/schema-messages.ts";
import { uploadRequest } from "../uploads.ts";
import { errorCodeHeader, openHeaderNames, rateHeaderNames, withHeaders } from "./headers.ts";
import { parameters, withParameters } from "./parameters.ts";
import { type RefusalStatus, refusals } from "./refusals.ts";
import { jsonBody, schemaRef, withoutDialect } from "./schemas.ts";

const bytes = { type: "string", contentMediaType: "application/octet-stream" };
const anyFile = { "*/*": { schema: bytes } };
const tags = ["Jobs"];

/** `GET` and `HEAD` of one file, with what differs between the ways to it. */
function filePath(path: {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: object[];
  readonly headers: Record<string, object>;
  readonly statuses: RefusalStatus[];
  readonly security?: object[];
}) {
  const { operationId, summary, headers, statuses, security } = path;
  const whole = {
    ...headers,
    ...withHeaders("ETag", "Accept-Ranges", "Content-Disposition", "Content-Security-Policy"),
  };
  const shared = {
    tags,
    parameters: [...path.parameters, ...withParameters("Range", "IfRange", "IfNoneMatch")],
    ...(security ? { security } : {}),
    responses: {
      200: {
        description: "The file.",
        headers: { ...whole, ...withHeaders("Content-Length") },
        content: anyFile,
      },
      206: {
        description: "The range of the file that was asked for.",
        headers: { ...whole, ...withHeaders("Content-Length", "Content-Range") },
        content: anyFile,
      },
      304: { description: "You have this file.", headers: whole },
      416: {
        description: "The range lies outside of the file.",
        headers: {
          ...headers,
          ...withHeaders("Content-Range"),
          "X-Error-Code": errorCodeHeader(416),
        },
        content: { "application/json": { schema: schemaRef("Error") } },
      },
      ...refusals(...statuses),
    },
  };
  const head = `${operationId}Head`;
  return {
    get: { ...shared, operationId, summary },
    head: { ...shared, operationId: head, summary: `${summary} Its headers alone.` },
  };
}

const outputStatuses: RefusalStatus[] = [401, 404, 409, 410, 503];
const keyedFile = { headers: withHeaders(...rateHeaderNames), statuses: outputStatuses };

const signedParameters = [
  { ...parameters.JobId, name: "job" },
  ...withParameters("OutputIndex"),
  {
    name: "name",
    in: "path",
    required: true,
    schema: { type: "string" },
    description: "The file's name, for those who save it.",
  },
  ...withParameters("Expires", "Signature"),
];

const archive = {
  tags,
  operationId: "readArchive",
  summary: "Download all outputs as one ZIP, made while it is sent.",
  parameters: withParameters("JobId"),
  responses: {
    200: {
      description: "The archive.",
      headers: withHeaders(...rateHeaderNames, "Content-Disposition"),
      content: { "application/zip": { schema: bytes } },
    },
    ...refusals(...outputStatuses),
  },
};

const announceUpload = {
  tags,
  operationId: "createUpload",
  summary: "Announce a file; the answer says where to send it.",
  description: "The way round a host's own limit on the size of request bodies.",
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: withoutDialect(inputSchema(uploadRequest)),
        example: { filename: "film.mp4", bytes: 73_400_320 },
      },
    },
  },
  responses: {
    201: {
      description: "Where to send the file, within 24 hours.",
      headers: withHeaders(...rateHeaderNames),
      content: jsonBody("Upload"),
    },
    ...refusals(401, 413, 415, 429, 503),
  },
};

const sendUpload = {
  tags,
  operationId: "sendUpload",
  summary: "Send an announced file to its signed address, once.",
  security: [],
  parameters: [
    {
      name: "id",
      in: "path",
      required: true,
      schema: { type: "string", pattern: "^upload_[0-9A-Za-z]{24}$" },
      description: "The upload's id.",
    },
    ...withParameters("Expires", "Signature"),
  ],
  requestBody: {
    required: true,
    description: "The file's bytes, exactly as many as were announced.",
    content: anyFile,
  },
  responses: {
    204: { description: "The file has arrived.", headers: withHeaders() },
    ...refusals(403, 409, 503),
  },
};

export const filePaths = {
  "/v1/jobs/{id}/output": filePath({
    operationId: "readOutput",
    summary: "Download the first output.",
    parameters: withParameters("JobId"),
    ...keyedFile,
  }),
  "/v1/jobs/{id}/outputs/{index}": filePath({
    operationId: "readOutputAt",
    summary: "Download an output by its number.",
    parameters: withParameters("JobId", "OutputIndex"),
    ...keyedFile,
  }),
  "/v1/jobs/{id}/archive": { get: archive },
  "/files/{job}/{index}/{name}": filePath({
    operationId: "readSignedOutput",
    summary: "Download an output by its signed address, without a key and from any origin.",
    parameters: signedParameters,
    headers: withHeaders(...openHeaderNames),
    statuses: [403, 404, 409, 410, 503],
    security: [],
  }),
  "/v1/uploads": { post: announceUpload },
  "/uploads/{id}": { put: sendUpload },
};
