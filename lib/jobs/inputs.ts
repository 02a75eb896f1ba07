import { rename, stat } from "node:fs/promises";
import { transaction } from "#lib/db/client.ts";
import { type Lease, recordInput } from "#lib/db/queries/leases.ts";
import { reserveBytes } from "#lib/db/queries/usage.ts";
import type { JobInput, JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import type { WorkFolder } from "#lib/engines/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { sniffFile } from "#lib/media/sniff.ts";
import { describeTypes, type MediaTypeId } from "#lib/media/types.ts";
import { fetchToFile } from "#lib/net/fetch.ts";
import type { InputFile } from "#lib/operations/define.ts";
import { describeBytes, type Plan } from "#lib/quotas/plans.ts";
import { storage } from "#lib/storage/index.ts";
import type { JobStep } from "./chain.ts";

interface Gathering {
  readonly job: JobRow;
  readonly lease: Lease;
  readonly plan: Plan;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

export interface GatheredInputs {
  readonly input: InputFile;
  readonly files: Record<string, InputFile>;
  /** Bytes of all files together: what the job uses of the quota. */
  readonly bytes: number;
}

/** Brings every file of a job into its work folder, its type known by its content. */
export async function gatherInputs(
  steps: readonly [JobStep, ...JobStep[]],
  gathering: Gathering,
): Promise<GatheredInputs> {
  const quota = new JobQuota(gathering);
  const input = await gather(gathering.job.source, steps[0].operation.accepts, gathering, quota);
  await quota.describe({
    filename: input.filename,
    contentType: input.type.mime,
    bytes: input.bytes,
    url: gathering.job.input.url,
  });
  const files: Record<string, InputFile> = {};
  for (const [part, source] of Object.entries(gathering.job.parts)) {
    files[part] = await gather(source, acceptedOf(steps, part), gathering, quota);
  }
  return { input, files, bytes: quota.bytes };
}

/** The types that a file part takes, by its stored name. */
function acceptedOf(steps: readonly JobStep[], part: string): readonly MediaTypeId[] {
  const step = steps.find(({ operation, prefix }) =>
    Object.keys(operation.files ?? {}).some((name) => part === prefix + name),
  );
  return step?.operation.files?.[part.slice(step.prefix.length)]?.accepts ?? [];
}

async function gather(
  source: JobSource,
  accepts: readonly MediaTypeId[],
  { work, plan, signal }: Gathering,
  quota: JobQuota,
): Promise<InputFile> {
  const arrived = work.scratch("bin");
  const origin =
    source.kind === "upload"
      ? { filename: source.filename, contentType: source.contentType }
      : await fetchSource(source.url, arrived.path, { plan, signal, quota });
  if (source.kind === "upload") {
    await storage().getFile(source.key, arrived.path);
    quota.bytes += source.bytes;
  }
  const { size } = await stat(arrived.path);
  if (size === 0) throw new JobError("empty", "The file is empty.");
  const type = await sniffFile(arrived.path, origin);
  if (!accepts.includes(type.id)) {
    throw new JobError(
      "unsupported_type",
      `The file is ${type.id === "unknown" ? "of an unknown type" : type.label}; this operation takes ${describeTypes(accepts)}.`,
    );
  }
  const file = work.input(type.extension);
  await rename(arrived.path, file.path);
  return { ...file, ...origin, type, bytes: size };
}

async function fetchSource(
  url: string,
  path: string,
  { plan, signal, quota }: { plan: Plan; signal: AbortSignal; quota: JobQuota },
): Promise<{ filename: string; contentType?: string; charset?: string; url: string }> {
  const maxBytes = plan.maxFileBytes ?? Number.MAX_SAFE_INTEGER;
  let fetched: Awaited<ReturnType<typeof fetchToFile>>;
  try {
    fetched = await fetchToFile({
      url,
      path,
      maxBytes,
      signal,
      onSize: (bytes) => quota.hold(bytes),
    });
  } catch (error) {
    if (!(error instanceof JobError && error.code === "too_large") || !plan.maxFileBytes)
      throw error;
    const sentence = `The file is larger than your plan's maximum of ${describeBytes(plan.maxFileBytes)}.`;
    throw new JobError("too_large", sentence, { cause: error });
  }
  await quota.hold(fetched.bytes);
  quota.bytes += fetched.bytes;
  const { filename, finalUrl, contentType, charset } = fetched;
  return {
    filename,
    url: finalUrl,
    ...(contentType ? { contentType } : {}),
    ...(charset ? { charset } : {}),
  };
}

/** What a job holds of its account's quota; grows as sizes become known. */
class JobQuota {
  /** Bytes of the files that have been read whole. */
  bytes = 0;
  readonly #gathering: Gathering;
  #reserved: number;
  #input: JobInput;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
    this.#reserved = gathering.job.reservedBytes;
    this.#input = gathering.job.input;
  }

  /** Makes sure that a file of `bytes`, beside those already read, is reserved. */
  async hold(bytes: number): Promise<void> {
    const missing = this.bytes + bytes - this.#reserved;
    if (missing <= 0) return;
    const { job, lease, plan } = this.#gathering;
    const { accountId, period } = job;
    const reserved = await transaction(async (tx) => {
      const limit = plan.monthlyBytes;
      if (!(await reserveBytes(tx, { accountId, period, bytes: missing, limit }))) return false;
      // Both or neither: what the row says is what is given back at the end.
      const recorded = await recordInput(tx, lease, this.#input, this.#reserved + missing);
      if (!recorded) throw new Error(`job ${job.id} is no longer ours`);
      return true;
    });
    if (!reserved) {
      throw new JobError(
        "usage_limit_reached",
        "The file would pass your plan's monthly usage limit.",
      );
    }
    this.#reserved += missing;
  }

  /** Writes what became known of the main input. */
  async describe(input: JobInput): Promise<void> {
    this.#input = input;
    await transaction((tx) => recordInput(tx, this.#gathering.lease, input, this.#reserved));
  }
}
