import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeUpload } from "#lib/api/http/store-upload.ts";
import { JobError } from "#lib/errors.ts";
import { streamRegular } from "#lib/files/regular-files.ts";
import { fetchToFile } from "#lib/net/fetch.ts";
import { networkFor } from "#lib/net/network.ts";
import { fileLimitOf, plans } from "#lib/plans.ts";
import { GotenbergError, statusError } from "../base/errors.ts";
import { parseJson } from "../base/go-values.ts";
import { type GotenbergSettings, isAllowedUrl } from "../base/settings.ts";
import { cleanName, type FormTarget, type ReceivedForm } from "./read-form.ts";

interface Download {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string;
}

/** Fields that downloaded files may belong to, by the name that a request gives. */
const fields: Readonly<Record<string, string>> = {
  embedded: "embeds",
  watermark: "watermark",
  stamp: "stamp",
};

/**
 * Downloads what the field `downloadFrom` lists, through the address guard, and adds it to the files of the form.
 * Throws `GotenbergError`.
 */
export async function downloadFiles(
  form: ReceivedForm,
  target: FormTarget & { readonly firstNumber: number; readonly signal: AbortSignal },
  { downloads: rules }: GotenbergSettings,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const [text] = form.values.get("downloadFrom") ?? [];
  if (rules.isDisabled || !text) return;
  const downloads = parseDownloads(text);
  for (const { url } of downloads) {
    if (!isAllowedUrl(url, rules)) throw statusError(403);
  }
  const folder = await mkdtemp(join(tmpdir(), "mediamill-download-"));
  try {
    for (const [index, download] of downloads.entries()) {
      const path = join(folder, String(index));
      const fetched = await fetchOne({ ...download, path }, target, headers, rules.retries);
      const name = cleanName(fetched.filename);
      const hints = { filename: name, contentType: fetched.contentType ?? "" };
      const key = target.keyOf(target.firstNumber + index);
      const limit = fileLimitOf(plans[target.account.plan]);
      const stored = await storeUpload(key, streamRegular(path), hints, limit);
      form.files.set(name, { field: download.field, stored });
    }
  } finally {
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
      const request = { url, path, signal, maxBytes: limit };
      const trusted = ({ isTrusted }: { readonly isTrusted: boolean }) =>
        isTrusted ? all : common;
      return await fetchToFile({ ...request, headers: trusted }, networkFor("inputs"));
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      if (error.code === "address_refused") throw statusError(403, error);
      const isTemporary = /status 5\d\d|timed out|could not/.test(error.message);
      if (isTemporary && attempt < retries && !signal.aborted) continue;
      throw new GotenbergError(400, `Unable to download file from '${url}': ${error.message}`, {
        cause: error,
      });
    }
  }
}

function parseDownloads(text: string): Download[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : "");
  }
  if (!Array.isArray(value)) {
    throw invalid("json: cannot unmarshal value into Go value of type []api.downloadFrom");
  }
  return value.map((entry: unknown, index) => {
    const given =
      typeof entry === "object" && entry !== null ? new Map(Object.entries(entry)) : new Map();
    const url: unknown = given.get("url");
    if (typeof url !== "string" || url.trim() === "") {
      throw new GotenbergError(
        400,
        `Invalid 'downloadFrom' form field entry ${index}: URL must be set`,
      );
    }
    const headers = Object.entries(given.get("extraHttpHeaders") ?? {}).map(([name, one]) => [
      name.toLowerCase(),
      String(one),
    ]);
    const field = given.get("embedded") === true ? "embedded" : String(given.get("field") ?? "");
    return { url, headers: Object.fromEntries(headers), field: fields[field] ?? "files" };
  });
}

function invalid(problem: string): GotenbergError {
  return new GotenbergError(400, `Invalid 'downloadFrom' form field value: ${problem}`);
}
