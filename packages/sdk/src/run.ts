import { ApiError, JobFailedError, TimeoutError } from "./errors.ts";
import { isContent, type ResolvedFile, resolveFile } from "./files.ts";
import { type Http, pollPause, randomKey, readJson, sleep } from "./http.ts";
import { isFinal } from "./job.ts";
import { readEvents } from "./sse.ts";
import type { FileInput, JobData, Progress } from "./types.ts";
import { deriveKeys, isRefusedByHost, isTooLargeForForm, uploaded } from "./uploads.ts";

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** The time in milliseconds until `TimeoutError`. The job goes on. Default: no limit. */
  readonly timeout?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether the job is cancelled when `signal` is aborted. */
  readonly cancelOnAbort?: boolean | undefined;
}

export interface RunOptions extends WaitOptions {
  /** The idempotency key; by default a random one, so that no request creates two jobs. */
  readonly idempotencyKey?: string | undefined;
}

/** The longest time that a request waits for its job, in seconds. */
const maxWaitSeconds = 60;

type Parts = readonly (readonly [name: string, file: ResolvedFile])[];

/** Creates a job. With `waitSeconds`, the response may have the finished job. */
export async function createJob(
  http: Http,
  path: string,
  params: Readonly<Record<string, unknown>>,
  { signal, onProgress, idempotencyKey }: RunOptions,
  waitSeconds = 0,
): Promise<{ job: JobData; response: Response }> {
  const { input, inputs, ...rest } = params;
  const main = (inputs ?? (input === undefined ? [] : [input])) as readonly FileInput[];
  const files = await Promise.all(main.map((one) => resolveFile(one)));
  const parts: [string, ResolvedFile][] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (isContent(value)) parts.push([name, await resolveFile(value, name)]);
    else if (value !== undefined) fields[name] = value;
  }
  const headers = {
    ...(idempotencyKey === undefined ? randomKey() : { "Idempotency-Key": idempotencyKey }),
    ...(waitSeconds > 0 ? { Prefer: `wait=${waitSeconds}` } : {}),
  };
  const isList = inputs !== undefined;
  const send = async (sent: readonly ResolvedFile[], sentParts: Parts) => {
    const isForm = [...sent, ...sentParts.map(([, file]) => file)].some((file) => "blob" in file);
    const request = isForm
      ? { headers, body: () => toForm(sent, sentParts, fields) }
      : {
          headers: { ...headers, "Content-Type": "application/json" },
          body: () => JSON.stringify({ ...toUrls(sent, sentParts, isList), ...fields }),
        };
    const timeout = (waitSeconds + 100) * 1000;
    const options = { method: "POST", signal, timeout, isJson: true };
    const response = await http.send(path, { ...options, ...request });
    return { job: await readJson<JobData>(response), response };
  };
  const uploadFirst = async () => {
    const keys = await deriveKeys(idempotencyKey, [...files.entries(), ...parts]);
    const store = (file: ResolvedFile, name: string | number) =>
      uploaded(http, file, { signal, onProgress, key: keys.get(name) });
    const named = parts.map(async ([name, file]) => [name, await store(file, name)] as const);
    return send(await Promise.all(files.map(store)), await Promise.all(named));
  };
  const all = [...files, ...parts.map(([, file]) => file)];
  const size = all.reduce((sum, file) => sum + ("blob" in file ? file.blob.size : 0), 0);
  if ((size > 0 && onProgress) || (await isTooLargeForForm(http, size, signal))) {
    return uploadFirst();
  }
  return send(files, parts).catch((error: unknown) => {
    if (size > 0 && isRefusedByHost(http, error)) return uploadFirst();
    throw error;
  });
}

function toUrls(
  files: readonly ResolvedFile[],
  parts: Parts,
  isList: boolean,
): Record<string, unknown> {
  const urlOf = (file: ResolvedFile) => ("url" in file ? file.url : "");
  const urls = files.map(urlOf);
  const named = Object.fromEntries(parts.map(([name, file]) => [`${name}_url`, urlOf(file)]));
  if (isList) return { inputs: urls, ...named };
  return urls.length > 0 ? { input: urls[0], ...named } : named;
}

function toForm(
  files: readonly ResolvedFile[],
  parts: Parts,
  fields: Record<string, unknown>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  for (const file of files) {
    if ("url" in file) form.append("input", file.url);
    else form.append("file", file.blob, file.filename);
  }
  for (const [name, file] of parts) {
    if ("url" in file) form.append(`${name}_url`, file.url);
    else form.append(name, file.blob, file.filename);
  }
  return form;
}

/** The time that a poll waits for the end of its job, in seconds. */
const pollSeconds = 30;

/** After so many streams that ended before the job, a proxy seems to cut them. */
const maxStreams = 3;

/**
 * Waits until a job has ended: by its events, and by polling where these do not get through. Throws
 * `JobFailedError` if it failed or was cancelled.
 */
export async function waitForJob(
  http: Http,
  job: JobData,
  { signal, timeout, onProgress, cancelOnAbort }: WaitOptions,
): Promise<JobData> {
  const path = `/v1/jobs/${job.id}`;
  const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signals = [signal, limit].flatMap((one) => one ?? []);
  const stop = signals.length > 0 ? AbortSignal.any(signals) : undefined;
  let current = job;
  const update = (next: JobData) => {
    current = next;
    onProgress?.({ phase: "processing", percent: next.progress });
  };
  try {
    for (let streams = 0; !isFinal(current) && streams < maxStreams; streams++) {
      if (streams > 0) await sleep(300 * streams, stop);
      const error = await followEvents(http, path, stop, update).catch(rethrowIf(stop));
      // The account has all the streams that it may have open.
      if (isTooMany(error)) break;
    }
    let wait: number | undefined = pollSeconds;
    while (!isFinal(current)) {
      try {
        update(await http.json(path, { query: { wait }, signal: stop, finalStatus: 429 }));
        wait = pollSeconds;
      } catch (error) {
        if (!isTooMany(error)) throw error;
        // The account has all the long polls that it may have open. The next one does not wait.
        wait = undefined;
        await sleep(pollPause(error), stop);
      }
    }
  } catch (error) {
    if (signal?.aborted && cancelOnAbort) {
      await http.send(`${path}/cancel`, { method: "POST" }).catch(() => {});
    }
    if (!limit?.aborted || signal?.aborted) throw error;
    throw new TimeoutError(`The job ${job.id} did not end within ${timeout} ms.`, job.id);
  }
  if (current.status !== "completed") throw new JobFailedError(current);
  return current;
}

async function followEvents(
  http: Http,
  path: string,
  signal: AbortSignal | undefined,
  update: (job: JobData) => void,
): Promise<void> {
  const options = { signal, timeout: 3_600_000, finalStatus: 429 };
  const response = await http.send(`${path}/events`, options);
  for await (const { data } of readEvents(response)) {
    if (!data) continue;
    const job = JSON.parse(data) as JobData;
    update(job);
    if (isFinal(job)) return;
  }
}

function isTooMany(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429;
}

/** Resolves with errors other than those of the signal: they are left to the next attempt. */
function rethrowIf(signal: AbortSignal | undefined) {
  return (error: unknown) => {
    if (signal?.aborted) throw error;
    return error;
  };
}

/** Creates a job and waits until it has ended. */
export async function runJob(
  http: Http,
  path: string,
  params: Readonly<Record<string, unknown>>,
  options: RunOptions,
): Promise<JobData> {
  const { timeout, onProgress, cancelOnAbort } = options;
  // Its progress is seen only by those who follow it, and its id is needed to cancel it.
  const isFollowed = onProgress !== undefined || cancelOnAbort;
  const longest = Math.min(
    maxWaitSeconds,
    Math.floor((timeout ?? Number.POSITIVE_INFINITY) / 1000),
  );
  const startedAt = Date.now();
  const { job } = await createJob(http, path, params, options, isFollowed ? 0 : longest);
  const left = timeout === undefined ? undefined : Math.max(1, timeout - (Date.now() - startedAt));
  return waitForJob(http, job, { ...options, timeout: left });
}
