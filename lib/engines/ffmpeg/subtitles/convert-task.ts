import { JobError } from "#lib/errors.ts";
import { readRegular, statRegular, writeNew } from "#lib/files/regular-files.ts";
import {
  type Converted,
  convertSubtitles as convertText,
  type DrawingOptions,
  decodeSubtitles,
  NoCuesError,
  prepareDrawing,
} from "#lib/formats/subtitles/convert.ts";
import {
  type SubtitleFormat,
  subtitleFormats,
  TooManyCuesError,
} from "#lib/formats/subtitles/cues.ts";
import { limitError } from "#lib/limits/limits.ts";
import { createJobFailure } from "../../sandbox/failures/failures.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { requireFiles, type WorkerCall, type WorkerOutput } from "../../worker/worker-function.ts";

export interface SubtitleOptions {
  readonly format: SubtitleFormat;
  /** The options of drawing; if they are set, the output is ASS to draw. */
  readonly drawing?: DrawingOptions | undefined;
}

/** Writes `file` in another format; its extension is that of its own. */
export async function convertSubtitles({
  files,
  options: { format, drawing },
  work,
}: WorkerCall<SubtitleOptions>): Promise<WorkerOutput<{ cues: number }>> {
  const [file] = requireFiles(files);
  const output = work.scratch(drawing ? "ass" : format);
  const convert = (text: string, from: SubtitleFormat) =>
    drawing ? prepareDrawing(text, from, drawing) : convertText(text, from, format);
  const cues = await convertFile(file, output, convert, work);
  return { outputs: [output], result: { cues }, warnings: work.takeWarnings() };
}

/**
 * Writes what `convert` makes of `file` to `output` and returns the number of cues. `work` gets a warning if
 * the encoding of the file is a guess. Throws `JobError`: `corrupt` if there are no cues, `too_complex`.
 */
export async function convertFile(
  file: WorkFile,
  output: WorkFile,
  convert: (text: string, from: SubtitleFormat) => Converted,
  work: WorkFolder,
): Promise<number> {
  const { limits } = work;
  const from = subtitleFormats.find((format) => format === file.extension);
  if (!from) throw new Error(`${file.extension} is no subtitle format`);
  if ((await statRegular(file.path)).size > limits.officeTextBytes) {
    throw limitError("officeTextBytes", limits.officeTextBytes);
  }
  try {
    const decoded = decodeSubtitles(await readRegular(file.path));
    const { text, cues } = convert(decoded.text, from);
    if (!decoded.encoding.startsWith("utf-")) work.warn(describeGuess(decoded.encoding));
    else if (decoded.text.includes("\ufffd")) work.warn(damagedCharacters);
    await writeNew(output.path, text);
    return cues;
  } catch (cause) {
    if (cause instanceof NoCuesError) throw createJobFailure("corrupt", cause);
    if (!(cause instanceof TooManyCuesError)) throw cause;
    throw new JobError("too_complex", "The file has too many subtitles.", { cause });
  }
}

const damagedCharacters =
  "The subtitles have damaged characters, which are shown as \ufffd. Check the file's encoding.";

function describeGuess(encoding: string): string {
  return `The subtitles are not in UTF-8 and were read as ${encoding}. If letters are wrong, convert the file to UTF-8.`;
}
