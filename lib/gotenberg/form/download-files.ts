import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { storeUpload } from "#lib/api/http/store-upload.ts";
import { startDeadline } from "#lib/deadline.ts";
import { JobError } from "#lib/errors.ts";
import { streamRegular } from "#lib/files/regular-files.ts";
import { fetchToFile } from "#lib/net/fetch.ts";
import { maySucceedLater } from "#lib/net/fetch-errors.ts";
import { networkFor } from "#lib/net/network.ts";
import { fileLimitOf, plans } from "#lib/plans.ts";
import { GotenbergError, statusError, timeLimitReached } from "../base/errors.ts";
import { isSendable } from "../base/headers.ts";
import { type GotenbergSettings, isAllowedUrl } from "../base/settings.ts";
import { bool, mapOf, sliceOf, string, struct, unmarshal } from "../base/unmarshal.ts";
import { addFile } from "./form.ts";
import { cleanName, emptyFiles, type FormTarget, type ReceivedForm } from "./read-form.ts";

interface Download {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string;
}

const entryType = struct("api.downloadFrom", () => ({
  url: string,
  extraHttpHeaders: mapOf(string),
  embedded: bool,
  field: string,
}));

/** Fields that downloaded files may belong to, by the name that a request gives. */
const fields: Readonly<Record<string, string>> = {
  embedded: "embeds",
  watermark: "watermark",
  stamp: "stamp",
};

/** One request must not send any number of them to other servers. */
const maxDownloads = 100;

/** The pause after the first failed attempt; after each further one, it is twice as long. */
const firstPauseMs = 1000;

interface DownloadTarget extends FormTarget {
  readonly firstNumber: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** When the time of the request is over, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/**
 * Downloads what the field `downloadFrom` lists, through the address guard, and adds it to the files of the form.
 * Throws `GotenbergError`.
 */
export async function downloadFiles(
  form: ReceivedForm,
  { endsAt, ...target }: DownloadTarget,
  { downloads: rules }: GotenbergSettings,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const [text] = form.values.get("downloadFrom") ?? [];
  if (rules.isDisabled || text === undefined) return;
  const downloads = parseDownloads(text);
  for (const { url } of downloads) {
    if (!isAllowedUrl(url, rules)) throw statusError(403);
  }
  const folder = await mkdtemp(join(tmpdir(), "mediamill-download-"));
  const path = join(folder, "file");
  const stopped = new AbortController();
  const deadline = { timeoutMs: Math.max(0, endsAt - Date.now()), signal: target.signal };
  const cancelDeadline = startDeadline(deadline, () => stopped.abort(timeLimitReached));
  const limited = { ...target, signal: stopped.signal };
  try {
    for (const [index, download] of downloads.entries()) {
      const fetched = await fetchOne({ ...download, path }, limited, headers, rules.retries);
      const name = cleanName(fetched.filename);
      const hints = { filename: name, contentType: fetched.contentType ?? "" };
      const key = target.keyOf(target.firstNumber + index);
      const limit = fileLimitOf(plans[target.account.plan]);
      const stored = await storeUpload(key, streamRegular(path), hints, limit, emptyFiles);
      addFile(form.files, name, { field: download.field, stored });
    }
  } finally {
    cancelDeadline();
    await rm(folder, { recursive: true });
  }
}

async function fetchOne(
  { url, path, headers }: Download & { readonly path: string },
  { account, maxBytes, signal }: FormTarget & { readonly signal: AbortSignal },
  common: Readonly<Record<string, string>>,
  retries: number,
) {
  const { maxFileBytes } = plans[account.plan];
  const limit = Math.min(
    maxFileBytes ?? Number.POSITIVE_INFINITY,
    maxBytes ?? Number.POSITIVE_INFINITY,
  );
  const all = { ...common, ...headers };
  for (let attempt = 0; ; attempt++) {
    try {
      const request = { url, path, signal, maxBytes: limit, ...emptyFiles };
      const trusted = ({ isTrusted }: { readonly isTrusted: boolean }) =>
        isTrusted ? all : common;
      return await fetchToFile({ ...request, headers: trusted }, networkFor("inputs"));
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      if (error.code === "address_refused") throw statusError(403, error);
      if (attempt < retries && maySucceedLater(error)) {
        await wait(firstPauseMs * 2 ** attempt, undefined, { signal }).catch(() => {});
        signal.throwIfAborted();
        continue;
      }
      throw new GotenbergError(400, `Unable to download file from '${url}': ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** The entries of the field `downloadFrom`. Throws `GotenbergError`. */
export function parseDownloads(text: string): Download[] {
  const entries = readEntries(text);
  if (entries.length > maxDownloads) {
    const message = `Invalid 'downloadFrom' form field value: more than ${maxDownloads} entries`;
    throw new GotenbergError(400, message);
  }
  return entries.map(({ url, extraHttpHeaders, embedded, field }, index) => {
    if (url.trim() === "") {
      throw new GotenbergError(
        400,
        `Invalid 'downloadFrom' form field entry ${index}: URL must be set`,
      );
    }
    if (Object.entries(extraHttpHeaders).some(([name, one]) => !isSendable(name, one))) {
      throw new GotenbergError(
        400,
        `Invalid 'downloadFrom' form field entry ${index}: a name or value of 'extraHttpHeaders' is not valid`,
      );
    }
    const headers = Object.entries(extraHttpHeaders).map(([name, one]) => [
      name.toLowerCase(),
      one,
    ]);
    const target = embedded ? "embedded" : field;
    return { url, headers: Object.fromEntries(headers), field: fields[target] ?? "files" };
  });
}

function readEntries(text: string) {
  try {
    return unmarshal(text, sliceOf(entryType));
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : "";
    throw new GotenbergError(400, `Invalid 'downloadFrom' form field value: ${problem}`, { cause });
  }
}
