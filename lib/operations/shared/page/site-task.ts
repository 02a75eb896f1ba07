import type { OutputFile } from "#lib/engines/worker/operation.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { limitError } from "#lib/limits/limits.ts";
import { exceedsProgramLimits } from "#lib/media/damaged-data.ts";
import { renderMarkdown } from "../markdown/render.ts";

export interface SiteOptions {
  /** Whether the page includes Markdown files. */
  readonly includesMarkdown: boolean;
}

/** More files than a page needs; each is a file in the folder of the job. */
const maxAssets = 1000;

/** `{{ toHTML "chapter.md" }}`, as Go's templates write the call of a function. */
const includePattern = /\{\{-?\s*toHTML\s+"([^"\n]+)"\s*-?\}\}/g;

/**
 * Unpacks the files of a page, the second file of the call, in a worker. The outputs are the page, if it is
 * changed, and the files that the result names.
 */
export async function readSite({
  files: [page, archive],
  options: { includesMarkdown },
  work,
}: WorkerCall<SiteOptions>) {
  if (!page) throw new Error("there is no page");
  const site = archive ? await DocumentPackage.open(archive.path, work.limits) : undefined;
  const names = (site?.names ?? []).filter((name) => !name.endsWith("/"));
  if (names.length > maxAssets) {
    throw new JobError("too_complex", `\`assets\` must have at most ${maxAssets} files.`);
  }
  const outputs: OutputFile[] = [];
  if (includesMarkdown) {
    const html = await includeMarkdown(await readRegular(page.path, "utf8"), async (name) =>
      (await site?.read(name))?.toString("utf8"),
    );
    const { htmlBytes } = work.limits;
    if (Buffer.byteLength(html) > htmlBytes) throw limitError("htmlBytes", htmlBytes);
    const output = work.scratch("html");
    await writeNew(output.path, html);
    outputs.push(output);
  }
  for (const name of names) {
    const output = work.scratch("bin");
    await writeNew(output.path, (await site?.read(name)) ?? Buffer.alloc(0));
    outputs.push(output);
  }
  site?.close();
  return { outputs, result: { names } };
}

/** The page with the Markdown files that it includes. Throws `JobError` `empty` if one is missing. */
async function includeMarkdown(
  html: string,
  read: (name: string) => Promise<string | undefined>,
): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of html.matchAll(includePattern)) {
    const name = match[1] ?? "";
    const text = await read(name);
    if (text === undefined) {
      const message = `\`assets\` has no file ${name.slice(0, 200)}, which the page includes.`;
      throw new JobError("empty", message);
    }
    parts.push(html.slice(end, match.index), await render(text));
    end = match.index + match[0].length;
  }
  return [...parts, html.slice(end)].join("");
}

/** Throws `JobError` `too_complex` for a document that is nested too deeply. */
async function render(text: string): Promise<string> {
  try {
    return (await renderMarkdown(text)).html;
  } catch (cause) {
    // The parser calls itself for each level.
    if (!exceedsProgramLimits(cause)) throw cause;
    throw new JobError("too_complex", "The document is nested too deeply.", { cause });
  }
}
