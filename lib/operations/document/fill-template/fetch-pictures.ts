import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { fetchToFile } from "#lib/net/fetch.ts";
import { cleanFileName } from "#lib/net/file-name.ts";

const maxPictures = 50;

/** The largest size of each picture in bytes. */
const maxBytes = 25_000_000;

const concurrency = 4;

/**
 * Fetches pictures that the data names by URL, in the given order. Throws `JobError` `too_complex`, and what
 * `fetchToFile` throws, with the file name of the picture in the message.
 */
export async function fetchPictures(
  urls: readonly string[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile[]> {
  if (urls.length > maxPictures) {
    const message = `The data has more than ${maxPictures} pictures by URL. Send them as data URIs.`;
    throw new JobError("too_complex", message);
  }
  const files = urls.map(() => work.scratch("img"));
  const queue = [...urls.entries()];
  const failure = new AbortController();
  const combined = AbortSignal.any([signal, failure.signal]);
  const fetchSome = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, url] = next;
      const path = files[index]?.path ?? "";
      await fetchToFile({ url, path, maxBytes, signal: combined }, work.network).catch((error) => {
        const reason = error instanceof JobError ? fetchError(url, error) : error;
        // The first failure ends the other fetches, which reject with its reason.
        failure.abort(reason);
        throw reason;
      });
    }
  };
  // All have ended before the caller may remove the folder that they write to.
  await Promise.allSettled(Array.from({ length: concurrency }, fetchSome));
  combined.throwIfAborted();
  return files;
}

function fetchError(url: string, error: JobError): JobError {
  const name = cleanFileName(URL.parse(url)?.pathname.split("/").at(-1) ?? "");
  const message = `The picture ${name} could not be fetched: ${error.message}`;
  return new JobError(error.code, message, { cause: error });
}
