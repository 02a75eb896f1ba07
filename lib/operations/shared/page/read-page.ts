import type { PageDocument } from "#lib/engines/chromium/page/page-document.ts";
import { readPageDocument } from "#lib/engines/chromium/read-document.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import type { OperationContext } from "../../define.ts";
import { readSite } from "./worker-functions.ts";

/** A file part with the files of a page. */
export const pageAssets = {
  assets: {
    accepts: ["zip"],
    required: false,
    description:
      "A ZIP with files that the page refers to by relative URLs, such as styles, images and fonts. Only for a page that is sent as a file.",
  },
} as const;

type PageContext = Pick<
  OperationContext<{ readonly markdown_includes: boolean }>,
  "input" | "files" | "params" | "work" | "signal"
>;

/** The time to unpack the files of a page. */
const unpackTimeoutMs = 30_000;

/** Reads the page of a job, with the files of its part `assets`. */
export async function readPage(context: PageContext): Promise<PageDocument> {
  const { input, files, params, work, signal } = context;
  const { limits } = work;
  const { assets: archive } = files;
  const includesMarkdown = params.markdown_includes;
  if (input.url !== undefined || !(archive || includesMarkdown)) {
    return readPageDocument(input, limits);
  }
  const { outputs, result } = await callInWorker(readSite, {
    files: [input, ...(archive ? [archive] : [])],
    options: { includesMarkdown },
    work,
    signal,
    timeoutMs: unpackTimeoutMs,
  });
  const unpacked = includesMarkdown ? outputs.slice(1) : outputs;
  const page = includesMarkdown ? { ...outputs[0], charset: "utf-8" } : input;
  const { path = input.path, charset } = page;
  const names = result.names.map((name, index) => [name, unpacked[index]?.path ?? ""] as const);
  return readPageDocument({ path, charset, assets: new Map(names) }, limits);
}
