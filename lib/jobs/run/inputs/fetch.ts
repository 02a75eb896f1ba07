import { faultPoint } from "#faults";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { nameInput } from "#lib/operations/shared/inputs/name-input.ts";
import { fileLimitOf, plans } from "#lib/plans.ts";
import { type JobStep, stepsOf } from "../../job-steps.ts";
import { inputIndexOf, sourcesOf, storedBytes } from "../../sources.ts";
import type { ClaimedJob } from "../claim/claimed-job.ts";
import { inputNetworkFor } from "../claim/networks.ts";
import { JobQuota } from "../claim/quota.ts";
import { acceptedTypesOf } from "./accepted-types.ts";
import { fetchInPart } from "./fetch-in-part.ts";
import { fetchWhole, type InputFetch } from "./fetch-whole.ts";

export type FetchedInputs = Pick<JobRow, "source" | "parts" | "input">;

/** The headers that the operation adds to the requests for its inputs. */
function headersOf({ operation, params }: JobStep): InputFetch["headers"] {
  return (hop) => operation.inputHeaders?.(params, hop) ?? {};
}

/**
 * Fetches the files of a job that were given by URL into storage, where its engine finds them. If the
 * operation reads its input in part, the input is only opened.
 */
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
  const work = WorkFolder.create(processPath(`${job.id}-${lease.token}`), { network: noNetwork });
  const limit = fileLimitOf(plan, job.maxFileBytes);
  const common = { job, limit, quota, work, signal, network: inputNetworkFor(job.plan) };
  try {
    const { accepts, partial } = steps[0].operation;
    const named = Object.keys(job.parts);
    const count = named.filter((part) => inputIndexOf(part) !== undefined).length + 1;
    const fetchMain = partial ? fetchInPart : fetchWhole;
    const fetch = { ...common, headers: () => ({}) };
    const fetchInput = { ...common, headers: headersOf(steps[0]) };
    const { source: main } = job;
    const source =
      main.kind === "none"
        ? main
        : await nameInput(0, count, () => fetchMain(main, "file", accepts, fetchInput));
    const parts: Record<string, JobSource> = {};
    for (const [part, one] of Object.entries(job.parts)) {
      const index = inputIndexOf(part);
      parts[part] =
        index === undefined
          ? await namePart(part, fetchWhole(one, part, acceptedTypesOf(steps, part), fetch))
          : await nameInput(index, count, () => fetchWhole(one, part, accepts, fetchInput));
    }
    faultPoint("after-fetch", job.id);
    if (source.kind === "none") return { source, parts, input: job.input };
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
