import { marked } from "marked";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, statRegular, writeNew } from "#lib/files/regular-files.ts";
import { readPage } from "#lib/formats/html/read-page.ts";
import { escapeXml } from "#lib/formats/markup/escape.ts";
import { decodeText } from "#lib/formats/office/text-import.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { exceedsProgramLimits } from "#lib/media/damaged-data.ts";
import type { Pictures, RichText } from "./model.ts";
import { PictureStore } from "./pictures.ts";
import { readEpub } from "./read-epub.ts";
import { toRichText } from "./to-rich-text.ts";
import { writeEpub } from "./write-epub.ts";
import { writeFlatText } from "./write-flat-text.ts";
import { pageStyle, writeBlocks } from "./write-html.ts";

/** Types that are read here, and types that are written; `fodt` is for LibreOffice. */
export type TextSource = "html" | "md" | "epub";
export type TextTarget = "html" | "epub" | "fodt";

export interface TextOptions {
  readonly source: TextSource;
  readonly target: TextTarget;
  /** The title that is used if the text has none of its own. */
  readonly title: string;
  /** The encoding that the server of the file declared. */
  readonly charset?: string;
  /** HTML that LibreOffice wrote has its pictures in it, so it may be large. */
  readonly isOurs?: boolean;
}

/** Converts the file of the call, in a worker. */
export const convertFile = async (call: WorkerCall<TextOptions>) => {
  try {
    return await convert(call);
  } catch (cause) {
    // The reader and the writers call themselves for each level.
    if (!exceedsProgramLimits(cause)) throw cause;
    throw new JobError("too_complex", "The document is nested too deeply.", { cause });
  }
};

async function convert({ files, options, work }: WorkerCall<TextOptions>) {
  const [file] = files;
  if (!file) throw new Error("no file");
  const store = new PictureStore(work);
  const read = await readText(file, options, store, work.limits);
  await store.load();
  const text = { ...read, title: read.title || options.title };
  const output = work.output(options.target);
  if (options.target === "epub") await writeEpub(text, store.pictures, output.path);
  else await writeNew(output.path, writeText(text, store.pictures, options.target));
  return { outputs: [output], result: { omittedPictures: store.omitted } };
}

async function readText(
  file: WorkFile,
  { source, charset, isOurs }: TextOptions,
  store: PictureStore,
  limits: FileLimits,
): Promise<RichText> {
  if (source === "epub") return readEpub(file.path, store, limits);
  const { size } = await statRegular(file.path);
  const limit = isOurs ? "officeBytes" : "officeTextBytes";
  if (size > limits[limit]) throw limitError(limit, limits[limit]);
  const text = decodeText(await readRegular(file.path), charset);
  const html = source === "md" ? await marked.parse(text, { gfm: true }) : text;
  return toRichText(readPage(html), (src) => store.addDataUrl(src));
}

function writeText(text: RichText, pictures: Pictures, target: "html" | "fodt"): string {
  if (target === "fodt") return writeFlatText(text, pictures);
  const body = writeBlocks(text.blocks, pictures, (key) => {
    const picture = pictures.get(key);
    const type = picture?.extension === "jpg" ? "jpeg" : picture?.extension;
    return `data:image/${type};base64,${picture?.content.toString("base64")}`;
  });
  const language = text.language ? ` lang="${escapeXml(text.language)}"` : "";
  return `<!DOCTYPE html>\n<html${language}>\n<head>\n<meta charset="utf-8"/>\n<meta name="viewport" content="width=device-width"/>\n<title>${escapeXml(text.title)}</title>\n<style>${pageStyle}</style>\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
}
