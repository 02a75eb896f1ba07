import { faultPoint } from "#faults";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import type { Lease } from "#lib/db/queries/jobs/leases.ts";
import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { sniffFile } from "#lib/media/sniff/sniff.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { type FetchedFile, fetchToFile } from "#lib/net/fetch.ts";
import { describeBytes, type Plan, plans } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";
import { attemptFolder, inputFolder } from "../storage-keys.ts";
import { stepsOf } from "./chain.ts";
import { acceptedOf, requireType } from "./inputs.ts";
import { JobQuota } from "./quota.ts";

type StoredSource = Extract<JobSource, { kind: "upload" }>;

export type FetchedInputs = Pick<JobRow, "source" | "parts" | "input">;

interface Fetch {
  readonly job: JobRow;
  readonly plan: Plan;
  readonly quota: JobQuota;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

/** Fetches the files that a job names by address, to storage, where its engine finds them. */
export async function fetchInputs(
  job: JobRow,
  lease: Lease,
  signal: AbortSignal,
): Promise<FetchedInputs> {
  const account = await findAccount(db(), job.accountId);
  if (!account) throw new Error(`job ${job.id} has no account`);
  const plan = plans[account.plan];
  const steps = stepsOf(job);
  const uploaded = [job.source, ...Object.values(job.parts)].reduce(
    (sum, source) => sum + (source.kind === "upload" ? source.bytes : 0),
    0,
  );
  const quota = new JobQuota(job, lease, plan, uploaded);
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`));
  const fetch = { job, plan, quota, work, signal };
  try {
    const source = await toStored(job.source, "file", steps[0].operation.accepts, fetch);
    const parts: Record<string, JobSource> = {};
    for (const [part, one] of Object.entries(job.parts)) {
      parts[part] = await namePart(part, toStored(one, part, acceptedOf(steps, part), fetch));
    }
    faultPoint("after-fetch", job.id);
    const { filename, contentType, bytes } = source;
    return { source, parts, input: { filename, contentType, bytes, url: job.input.url } };
  } finally {
    await work.remove();
  }
}

/** A failure of a file beside the main one says which it is. */
async function namePart<Result>(part: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    const name = part.split("-").at(-1);
    throw new JobError(error.code, `${name}_url: ${error.message}`, { cause: error });
  }
}

async function toStored(
  source: JobSource,
  part: string,
  accepts: readonly MediaTypeId[],
  { job, plan, quota, work, signal }: Fetch,
): Promise<StoredSource> {
  if (source.kind === "upload") return source;
  const { path } = work.scratch("bin");
  const fetched = await fetchWithin(plan, {
    url: source.url,
    path,
    maxBytes: plan.maxFileBytes ?? Number.MAX_SAFE_INTEGER,
    signal,
    onSize: (bytes) => {
      faultPoint("while-fetching", job.id);
      return quota.hold(bytes);
    },
  });
  await quota.hold(fetched.bytes);
  quota.count(fetched.bytes);
  const { filename, finalUrl: url, contentType, charset, bytes, sha256 } = fetched;
  const type = await sniffFile(path, { filename, ...(contentType ? { contentType } : {}) });
  requireType(type, accepts);
  const key = `${attemptFolder(inputFolder(job.id), job)}/${part}`;
  await storage().putFile(key, path);
  const declared = charset ? { charset } : {};
  return { kind: "upload", key, filename, contentType: type.mime, bytes, sha256, url, ...declared };
}

/** The fetcher knows its limit; whose limit it is, is known here. */
async function fetchWithin(
  plan: Plan,
  request: Parameters<typeof fetchToFile>[0],
): Promise<FetchedFile> {
  try {
    return await fetchToFile(request);
  } catch (error) {
    const isTooLarge = error instanceof JobError && error.code === "too_large";
    if (!isTooLarge || plan.maxFileBytes === null) throw error;
    const most = describeBytes(plan.maxFileBytes);
    const sentence = `The file is larger than your plan's maximum of ${most}.`;
    throw new JobError("too_large", sentence, { cause: error });
  }
}
