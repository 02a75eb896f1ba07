import { createHash } from "node:crypto";
import { db } from "#lib/db/client.ts";
import { findAnswer } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { RequestError } from "#lib/errors.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import type { RequestBody } from "./http/body.ts";

/** A request that may come twice: its key, and what tells it from another under the same key. */
export interface IdempotentRequest {
  readonly key: string;
  readonly fingerprint: string;
}

/** The longest `Idempotency-Key` that is taken, in characters. */
export const maxKeyLength = 255;

/** The request's `Idempotency-Key`, if it has one, with the fingerprint of what it asks. */
export function parseIdempotency(
  request: Request,
  operation: string,
  body: RequestBody,
): IdempotentRequest | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length < 1 || key.length > maxKeyLength) {
    const sentence = `Idempotency-Key must have 1 to ${maxKeyLength} characters.`;
    throw new RequestError("invalid_parameter", sentence);
  }
  const files = Object.entries(body.files).map(([part, { sha256 }]) => [part, sha256]);
  const asked = canonical({ operation, fields: body.fields, files: Object.fromEntries(files) });
  return { key, fingerprint: createHash("sha256").update(asked).digest("hex") };
}

/** The first answer to this request again, if there is one. Throws 422 where it was asked for something else. */
export async function replayAnswer(
  accountId: string,
  { key, fingerprint }: IdempotentRequest,
): Promise<Response | undefined> {
  const kept = await findAnswer(db(), accountId, key);
  if (!kept) return undefined;
  if (kept.fingerprint !== fingerprint) {
    throw new RequestError(
      "idempotency_conflict",
      "This Idempotency-Key was used with another request; use a fresh key.",
    );
  }
  // Only answers that carry a job are kept.
  const { id } = kept.body as Job;
  const headers = { Location: `/v1/jobs/${id}`, "Idempotency-Replayed": "true" };
  return Response.json(kept.body, { status: kept.status, headers });
}

/** JSON whose keys are in order, so that the order of fields makes no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
