import { readReport } from "#lib/files/regular-files.ts";
import { EngineError, EngineMissingError } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import { runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { joinWords } from "./join-words.ts";
import { directionMarks, type OcrWord, parseWords } from "./parse-words.ts";

/** Recognizes text with tesseract. */

/** tesseract's modes of page segmentation. */
export const layouts = {
  /** Columns and blocks are detected. */
  page: 3,
  /** The same, and the page may be turned by 90 or 180 degrees. */
  turnedPage: 1,
  /** The text is lines from the left to the right edge. */
  block: 6,
  /** The text is some words anywhere. */
  sparse: 11,
} as const;

export type Layout = keyof typeof layouts;

export interface RecognizedText {
  /** The text with its line breaks; paragraphs are separated by an empty line. */
  readonly text: string;
  readonly words: readonly OcrWord[];
}

/** A page of 25 megapixels with five languages needs less than half of it. */
const memoryBytes = 3 * 2 ** 30;

const missingData = /Error opening data file|Failed loading language/;

/**
 * Recognizes the text of `image`, a PNG in gray. Throws `JobError` (`timed_out`, `out_of_memory`,
 * `engine_crashed`), or `EngineMissingError` if tesseract or the data of a language is missing.
 */
export async function recognizeText(
  image: WorkFile,
  languages: readonly string[],
  layout: Layout,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<RecognizedText> {
  const text = work.scratch("txt");
  // Both files get the name of the scratch file with another extension.
  const base = text.name.slice(0, -".txt".length);
  const codes = languages.map((language) => language.replace("-", "_")).join("+");
  const options = ["-l", codes, "--oem", "1", "--psm", `${layouts[layout]}`, "--dpi", "300"];
  try {
    await runEngine({
      engine: "tesseract",
      command: "tesseract",
      args: [image.name, base, ...options, "tsv", "txt"],
      ...work.view,
      // Several threads are hardly faster, and other jobs need the cores.
      variables: { OMP_THREAD_LIMIT: "1" },
      signal,
      limits: { timeoutMs: work.limits.imageSeconds * 1000, memoryBytes, fileBytes: 2 ** 28 },
    });
  } catch (error) {
    if (error instanceof EngineError && missingData.test(error.stderrTail)) {
      throw new EngineMissingError("tesseract");
    }
    throw translateEngineError(error);
  }
  const table = await readReport(text.path.replace(/txt$/, "tsv"), "utf8");
  const plain = await readReport(text.path, "utf8");
  const cleaned = cleanText(plain, languages);
  const words = parseWords(table);
  return { text: cleaned, words: languages.includes("kor") ? joinWords(words, cleaned) : words };
}

/** Chinese and Japanese characters and their punctuation. */
const han =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]";
const spaceBetweenHan = new RegExp(`(?<=${han}) +(?=${han})`, "gu");

/** The end of a page is a form feed; Chinese and Japanese have no spaces between words. */
function cleanText(text: string, languages: readonly string[]): string {
  const hasHan = languages.some((language) => /^(chi|jpn)/.test(language));
  const joined = hasHan ? text.replace(spaceBetweenHan, "") : text;
  const trimmed = joined.replace(directionMarks, "").replaceAll("\f", "").trim().toWellFormed();
  return trimmed === "" ? "" : `${trimmed}\n`;
}
