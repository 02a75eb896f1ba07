import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { OcrWord } from "#lib/engines/tesseract/parse-words.ts";
import {
  type Layout,
  type RecognizedText,
  recognizeText,
} from "#lib/engines/tesseract/tesseract.ts";
import { scanImage } from "./scan-image.ts";

/** Heights of words, in pixels, that are recognized best, and the one that others are scaled to. */
const bestHeights = { min: 17, max: 46, wanted: 28 } as const;

/** Enlarging more only makes the image larger. */
const maxScale = 4;

/** On a page with fewer words, or in these languages, the detection of lines may lose some. */
const fewWords = 80;
const difficultLanguages: ReadonlySet<string> = new Set(["ara", "kor"]);

/** At another scale, it loses other lines. */
const secondScale = 1.3;

/** Below this mean confidence, the page may be turned. */
const lowConfidence = 0.65;

/** A word with less confidence is more likely noise than text. */
const noiseConfidence = 0.4;

/**
 * The text of an image and its words, in pixels of the upright image. The size of its letters and its
 * layout are found by trying: the result with the most and surest letters is returned. Throws `JobError`.
 */
export async function readText(
  file: WorkFile,
  languages: readonly string[],
  work: WorkFolder,
  signal: AbortSignal,
  progress: (percent: number) => void,
): Promise<RecognizedText> {
  const readAt = async (scale: number) => {
    const scan = await scanImage(file, scale, work, signal);
    const read = async (layout: Layout) =>
      inImage(await recognizeText(scan, languages, layout, work, signal), scan.scale);
    return { scale: scan.scale, read };
  };
  let current = await readAt(1);
  let best = await current.read("page");
  progress(40);
  const height = medianHeight(best.words) * current.scale;
  const isFound = best.words.length > 0;
  if (!isFound || height < bestHeights.min || height > bestHeights.max) {
    const wanted = isFound ? (current.scale * bestHeights.wanted) / height : 2;
    const rescaled = await readAt(Math.min(maxScale, wanted));
    const other = await rescaled.read("page");
    if (score(other) > score(best)) [best, current] = [other, rescaled];
  }
  progress(60);
  const isDifficult =
    best.words.length < fewWords || languages.some((language) => difficultLanguages.has(language));
  const images = isDifficult ? [current, await readAt(current.scale * secondScale)] : [current];
  for (const image of images) {
    const layouts = chooseLayouts(best, isDifficult);
    for (const layout of image === current ? layouts : (["page", ...layouts] as const)) {
      const other = await image.read(layout);
      if (score(other) > score(best)) best = other;
    }
    progress(80);
  }
  return best;
}

/** The layouts to try after that of a page. */
function chooseLayouts({ words }: RecognizedText, isDifficult: boolean): Layout[] {
  const layouts: Layout[] = isDifficult ? ["block"] : [];
  if (words.length < fewWords / 10) layouts.push("sparse");
  const mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  if (mean < lowConfidence) layouts.push("turnedPage");
  return layouts;
}

/** Letters, weighted by the confidence of their words. */
function score({ words }: RecognizedText): number {
  return words.reduce(
    (sum, { text, confidence }) => sum + [...text].length * (confidence - noiseConfidence),
    0,
  );
}

function medianHeight(words: readonly OcrWord[]): number {
  const heights = words.map(({ box }) => box.height).sort((left, right) => left - right);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}

/** The words in pixels of the image instead of those of its scan. */
function inImage({ text, words }: RecognizedText, scale: number): RecognizedText {
  const toImage = (value: number) => Math.round(value / scale);
  const placed = words.map((word) => {
    const { left, top, width, height } = word.box;
    const box = {
      left: toImage(left),
      top: toImage(top),
      width: Math.max(1, toImage(width)),
      height: Math.max(1, toImage(height)),
    };
    return { ...word, box };
  });
  return { text, words: placed };
}
