import { faultPoint } from "#faults";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import type { JobRow, JobSource, StoredSource } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { sniffFile } from "#lib/media/sniff/sniff.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { type FetchedFile, fetchToFile } from "#lib/net/fetch.ts";
import { fileTooLargeMessage, type Plan, plans } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";
import { sourcesOf, storedBytes } from "../sources.ts";
import { attemptFolder, inputFolder } from "../storage-keys.ts";
import { stepsOf } from "./chain.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { acceptedTypesOf, requireAcceptedType } from "./inputs.ts";
import { JobQuota } from "./quota.ts";

export type FetchedInputs = Pick<JobRow, "source" | "parts" | "input">;

interface Fetch {
  readonly job: JobRow;
  readonly plan: Plan;
  readonly quota: JobQuota;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

/** Fetches the files of a job that were given by URL into storage, where its engine finds them. */
export async function fetchInputs(
  claimed: ClaimedJob,
  signal: AbortSignal,
): Promise<FetchedInputs> {
  const { job, lease } = claimed;
  const account = await findAccount(db(), job.accountId);
  if (!account) throw new Error(`job ${job.id} has no account`);
  const plan = plans[account.plan];
  const steps = stepsOf(job);
  const quota = new JobQuota(claimed, plan, storedBytes(sourcesOf(job)));
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`));
  const fetch = { job, plan, quota, work, signal };
  try {
    const source = await toStored(job.source, "file", steps[0].operation.accepts, fetch);
    const parts: Record<string, JobSource> = {};
    for (const [part, one] of Object.entries(job.parts)) {
      parts[part] = await namePart(part, toStored(one, part, acceptedTypesOf(steps, part), fetch));
    }
    faultPoint("after-fetch", job.id);
    const { filename, contentType, bytes } = source;
    return { source, parts, input: { filename, contentType, bytes, url: job.input.url } };
  } finally {
    await work.remove();
  }
}

/** Adds the name of the part to the message of a failure. */
async function namePart<Result>(part: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    const name = part.split("-").at(-1);
    throw new JobError(error.code, `\`${name}_url\`: ${error.message}`, { cause: error });
  }
}

async function toStored(
  source: JobSource,
  part: string,
  accepts: readonly MediaTypeId[],
  { job, plan, quota, work, signal }: Fetch,
): Promise<StoredSource> {
  if (source.kind === "stored") return source;
  const { path } = work.scratch("bin");
  const fetched = await fetchWithinPlan(plan, {
    url: source.url,
    path,
    maxBytes: plan.maxFileBytes ?? Number.MAX_SAFE_INTEGER,
    signal,
    onSize: (bytes) => {
      faultPoint("while-fetching", job.id);
      return quota.reserve(bytes);
    },
  });
  await quota.reserve(fetched.bytes);
  quota.addRead(fetched.bytes);
  const { filename, finalUrl: url, contentType, charset, bytes, sha256 } = fetched;
  const type = await sniffFile(path, { filename, ...(contentType ? { contentType } : {}) });
  requireAcceptedType(type, accepts);
  const key = `${attemptFolder(inputFolder(job.id), job)}/${part}`;
  await storage().putFile(key, path, { bytes, sha256 });
  const declared = charset ? { charset } : {};
  return { kind: "stored", key, filename, contentType: type.mime, bytes, sha256, url, ...declared };
}

/** The fetcher enforces a limit in bytes. Only here is it known that this limit is the plan's. */
async function fetchWithinPlan(
  { maxFileBytes }: Plan,
  request: Parameters<typeof fetchToFile>[0],
): Promise<FetchedFile> {
  try {
    return await fetchToFile(request);
  } catch (error) {
    const isTooLarge = error instanceof JobError && error.code === "too_large";
    if (!isTooLarge || maxFileBytes === null) throw error;
    throw new JobError("too_large", fileTooLargeMessage(maxFileBytes), { cause: error });
  }
}
