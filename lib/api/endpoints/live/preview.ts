import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { keepPreviewedUpload } from "#lib/db/queries/live/previews.ts";
import type { LiveSource } from "#lib/db/schema/live-task.ts";
import { RequestError } from "#lib/errors.ts";
import { findReceivedUpload, locateUpload } from "#lib/jobs/accept/uploads.ts";
import { requestPreview } from "#lib/jobs/live/request.ts";
import { mediaType } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { acceptsType, type Operation } from "#lib/operations/define.ts";
import { describeLiveObstacle, liveKindOf } from "#lib/operations/live/live-kind.ts";
import type { SessionCaller } from "../../definition/access.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { noQuery } from "../../definition/parameters.ts";
import { parseParams } from "../../job-creation/parse-params.ts";
import { requireEngines } from "../../job-creation/require-engines.ts";
import { type OperationPath, operationParams } from "../operations/run.ts";
import { authorizeLive, enginesBusy, liveErrors } from "./authorize-live.ts";

const count = z.number().int().min(0);

const body = z.strictObject({
  upload: z
    .string()
    .regex(/^upload_[0-9A-Za-z]{24}$/, "must be the id of an upload")
    .optional()
    .describe("The file; absent for an operation that takes none."),
  params: z.record(z.string(), z.unknown()).describe("The parameters of the operation."),
});

const picture = z.strictObject({
  image: z.string().describe("A picture of at most 512 pixels a side, as Base64."),
  content_type: z.string(),
  width: count.nullable().describe("Pixels of the full output."),
  height: count.nullable().describe("Pixels of the full output."),
  bytes: count.nullable().describe("About how many bytes the full output has."),
  is_approximate: z.boolean(),
  engine_ms: count,
});

const answer = z.strictObject({
  picture: picture.nullable(),
  message: z
    .string()
    .nullable()
    .describe("Why there is no picture: what is wrong with the parameters or the file."),
});

export type ServedPicture = z.infer<typeof picture>;
export type ServedPreview = z.infer<typeof answer>;

export const previewInDashboard = defineEndpoint({
  method: "POST",
  path: "/dashboard/api/live/{group}/{operation}",
  operationId: "previewInDashboard",
  tag: "Jobs",
  summary: "Show what an operation does, on a small copy of an uploaded file.",
  description: "Not a job: it counts only against a limit of its own.",
  internal: true,
  access: "session",
  params: operationParams,
  query: noQuery,
  body: { kind: "json", schema: body, example: { params: { text: "Hello" } } },
  responses: { 200: { description: "The picture, or why there is none.", body: answer } },
  errors: [...liveErrors, "not_found", "invalid_input"],
  handler: preview,
});

type PreviewContext = RequestContext &
  SessionCaller & { readonly params: OperationPath; readonly body: z.output<typeof body> };

async function preview(context: PreviewContext): Promise<ServedPreview | Response> {
  const { account, body, params, request } = context;
  const id = `${params.group}/${params.operation}`;
  const operation = findOperation(id);
  if (!operation || !liveKindOf(operation)) {
    throw new RequestError("not_found", "There is no live preview of this operation.");
  }
  const parsed = parseOrExplain(operation, body.params);
  if (typeof parsed === "string") return { picture: null, message: parsed };
  await authorizeLive(account);
  await requireEngines(operation);
  const source = operation.inputs.max === 0 ? null : await findSource(account.id, body.upload);
  if (source && !acceptsType(operation, source.type)) {
    const { label } = mediaType(source.type);
    throw new RequestError("invalid_input", `The operation does not take a file that is ${label}.`);
  }
  const result = await requestPreview(
    {
      kind: "preview",
      accountId: account.id,
      plan: account.plan,
      operation: id,
      params: parsed,
      source: source?.file ?? null,
    },
    request.signal,
  );
  if (result?.kind === "failed") return { picture: null, message: result.message };
  if (result?.kind !== "shown") return enginesBusy(request.signal);
  const shown = {
    image: result.image,
    content_type: result.contentType,
    width: result.width,
    height: result.height,
    bytes: result.bytes,
    is_approximate: result.isApproximate,
    engine_ms: result.engineMs,
  };
  return { picture: shown, message: null };
}

/** The validated parameters, or what is wrong with them: in a form that is being filled in, that is no error. */
function parseOrExplain(
  operation: Operation,
  given: Record<string, unknown>,
): Record<string, unknown> | string {
  try {
    const params = parseParams(operation, given, "json");
    return describeLiveObstacle(operation, params) ?? params;
  } catch (error) {
    if (error instanceof RequestError && error.code === "invalid_parameter") return error.message;
    throw error;
  }
}

/** The uploaded file, which is kept for ten minutes after its last preview. */
async function findSource(accountId: string, id: string | undefined) {
  const upload = id === undefined ? undefined : await findReceivedUpload(accountId, id);
  if (!upload) {
    const message = "`upload` must be the id of an upload that exists and is complete.";
    throw new RequestError("invalid_input", message);
  }
  await keepPreviewedUpload(db(), upload.id);
  const type = upload.type ?? "unknown";
  const file: LiveSource = {
    id: upload.id,
    ...locateUpload(upload),
    filename: upload.filename,
    contentType: mediaType(type).mime,
    bytes: upload.bytes,
  };
  return { type, file };
}
