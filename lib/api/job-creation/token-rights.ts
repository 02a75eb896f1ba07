import { allowsOperation, type BrowserToken } from "#lib/auth/browser-tokens.ts";
import { db } from "#lib/db/client.ts";
import { countTokenJob, uncountTokenJob } from "#lib/db/queries/accounts/browser-tokens.ts";
import { RequestError } from "#lib/errors.ts";
import { AlreadyCreatedError } from "#lib/jobs/accept/already-created-error.ts";
import { isInConnection } from "#lib/jobs/connections/input.ts";
import { requestedSteps } from "#lib/jobs/steps.ts";
import type { ParsedJobRequest } from "./job-request.ts";

/** What the holder of a browser token may ask for: anyone who opens the page can read the token. */

/** Throws `forbidden` if the token is not for one of the operations. */
export function requireAllowed(token: BrowserToken, operations: readonly string[]): void {
  const refused = operations.find((id) => !allowsOperation(token, id));
  if (refused === undefined) return;
  throw forbidden(
    `This browser token is not for ${refused}, only for: ${token.operations.join(", ")}.`,
  );
}

/**
 * Throws `forbidden`, before any file is received, if the token has created all of its jobs, unless the request is
 * repeated and so creates none.
 */
export async function requireJobsLeft(
  token: BrowserToken,
  isRepeated: () => Promise<boolean>,
): Promise<void> {
  if (token.jobs >= token.maxJobs && !(await isRepeated())) throw hasNoJobsLeft(token);
}

/**
 * Throws `forbidden` for a request that needs more than the token gives: another operation, a connection of
 * the account, or a webhook, which would have the account's signature under untrusted content.
 */
export function requireAllowedRequest(
  token: BrowserToken,
  operation: string,
  { params, webhookUrl, target, source, parts }: ParsedJobRequest,
): void {
  requireAllowed(
    token,
    requestedSteps({ operation, params }).map(({ type }) => type),
  );
  if (webhookUrl !== null) {
    throw forbidden("A browser token cannot set `webhook_url`. Create a webhook endpoint.");
  }
  if (target?.connection) throw forbidden("A browser token cannot use connections.");
  for (const file of [source, ...Object.values(parts)]) {
    if (file.kind === "url" && isInConnection(file.url)) {
      throw forbidden("A browser token cannot use connections.");
    }
    if (file.kind === "upload" && file.upload.tokenId !== token.id) {
      throw forbidden("A browser token can use only the uploads that it created.");
    }
  }
}

/**
 * Creates a job, if the token may create another one. Throws `forbidden` if not, or `AlreadyCreatedError` if the request
 * is repeated: the last job may be that of the same request to another process.
 */
export async function withinJobsOf<Created>(
  token: BrowserToken | undefined,
  isRepeated: () => Promise<boolean>,
  create: () => Promise<Created>,
): Promise<Created> {
  if (!token) return create();
  if (!(await countTokenJob(db(), token.id))) {
    throw (await isRepeated()) ? new AlreadyCreatedError() : hasNoJobsLeft(token);
  }
  try {
    return await create();
  } catch (error) {
    await uncountTokenJob(db(), token.id);
    throw error;
  }
}

function hasNoJobsLeft({ maxJobs }: BrowserToken): RequestError {
  const jobs = maxJobs === 1 ? "its only job" : `its ${maxJobs} jobs`;
  return forbidden(`This browser token has created ${jobs}. Get a new one from your backend.`);
}

function forbidden(message: string): RequestError {
  return new RequestError("forbidden", message);
}
