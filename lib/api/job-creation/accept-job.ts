import { createId } from "#lib/ids.ts";
import { createJob } from "#lib/jobs/accept/create.ts";
import { discardStagedUpload, stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { chainName } from "#lib/jobs/steps.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { isSecretPart } from "#lib/operations/secret-values.ts";
import { fileLimitOf, plans } from "#lib/plans.ts";
import { isMultipart, type RequestBody, readBody } from "../http/body.ts";
import type { FieldSchema } from "../http/schema-messages.ts";
import { receiveUpload } from "../http/slots/upload-slots.ts";
import { fieldValues } from "./field-values.ts";
import { isRepeated, parseIdempotency, withoutConcurrentRepeats } from "./idempotency.ts";
import type { ParsedJobRequest } from "./job-request.ts";
import { parsePreferredWait } from "./prefer.ts";
import { type AccountRequest, respondWithJob } from "./respond-with-job.ts";
import { copyUploads, hasUploads } from "./sources.ts";
import {
  requireAllowed,
  requireAllowedRequest,
  requireJobsLeft,
  withinJobsOf,
} from "./token-rights.ts";

/** The job that a request creates. */
interface JobKind {
  /** The job's `operation`. */
  readonly operation: string;
  /** Names of the parts that may be files. */
  readonly fileParts: readonly string[];
  /** How many inputs it may have. */
  readonly maxInputs: number;
  /** Fields that a form may have several times. */
  readonly repeatable: readonly string[];
  /** The JSON Schema of the fields that not every request has. */
  readonly schema: FieldSchema;
  readonly parse: (body: RequestBody) => Promise<ParsedJobRequest>;
}

/**
 * Reads a request's body, streams its files to storage, and accepts its job. Responds as `respondWithJob` does. Throws
 * `conflict` while a request with the same `Idempotency-Key` is received.
 */
export function acceptJob(context: AccountRequest, kind: JobKind): Promise<Response> {
  const { account, token, request } = context;
  return withoutConcurrentRepeats(request, account.id, token?.id, () =>
    receiveAndAccept(context, kind),
  );
}

async function receiveAndAccept(context: AccountRequest, kind: JobKind): Promise<Response> {
  const { account, apiKeyId, token, request, requestId } = context;
  const { operation, fileParts, maxInputs, repeatable, schema } = kind;
  const waitSeconds = parsePreferredWait(request);
  const id = createId("job");
  const keyOf = (part: string) => inputKey(id, part, isSecretPart(part));
  const isRepeat = () => isRepeated(request, account.id, token?.id);
  if (token) {
    await requireJobsLeft(token, isRepeat);
    if (operation !== chainName) requireAllowed(token, [operation]);
  }
  const fileLimit = fileLimitOf(plans[account.plan], token?.maxBytes);
  const uploads = { keyOf, parts: fileParts, maxInputs, repeatable, fileLimit };
  let isStaged = false;
  const stage = async () => {
    isStaged = true;
    await stageUpload(id);
  };
  let isAccepted = false;
  try {
    const receiveForm = async () => {
      await stage();
      return readBody(context, uploads);
    };
    const body = isMultipart(request)
      ? await receiveUpload(account.id, receiveForm)
      : await readBody(context, uploads);
    const readContent = () => ({ ...body, fields: fieldValues(body, schema) });
    const idempotency = parseIdempotency(request, operation, readContent, token?.id);
    return await respondWithJob(context, { id, waitSeconds, idempotency }, async () => {
      const parsed = await kind.parse(body);
      if (token) requireAllowedRequest(token, operation, parsed);
      const { params, webhookUrl, metadata, target, ...files } = parsed;
      if (hasUploads(files) && !isStaged) await stage();
      const sources = await copyUploads(files, keyOf);
      const fields = { params, webhookUrl, metadata, target, ...sources };
      const origin = { account, apiKeyId, token, requestId };
      const accepted = await withinJobsOf(token, isRepeat, () =>
        createJob({ id, operation, idempotency, ...origin, ...fields }),
      );
      isAccepted = true;
      return accepted;
    });
  } finally {
    if (!isAccepted && isStaged) await discardStagedUpload(id);
  }
}
