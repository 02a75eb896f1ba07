import type { TextOptions } from "../../image/rasterize-text.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { callInWorker } from "../call.ts";
import * as functions from "./worker-functions.ts";

export type { TextOptions } from "../../image/rasterize-text.ts";

/** A PNG with alpha and its size in pixels. */
export interface RenderedText {
  readonly file: WorkFile;
  readonly width: number;
  readonly height: number;
}

/**
 * Renders text in any script into a transparent PNG in `work`. The image is cropped to the visible
 * pixels: placed at (x, y), the text begins exactly at (x, y). It is never larger than `maxWidth` ×
 * `maxHeight`: long lines are wrapped, then the font size is reduced. Whitespace alone gives one
 * transparent pixel. No text makes it fail; it throws only `EngineError` and internal errors.
 */
export async function renderText(
  options: TextOptions,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<RenderedText> {
  const { outputs } = await callInWorker(functions.renderText, { options, work, signal });
  const [rendered] = outputs;
  if (!rendered?.width || !rendered.height) throw new Error("a worker returned no text image");
  const { width, height, ...file } = rendered;
  return { file, width, height };
}
