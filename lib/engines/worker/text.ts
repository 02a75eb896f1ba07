import type { TextOptions } from "../image/render-text.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { runImageTask } from "./pool.ts";

export type { TextOptions } from "../image/render-text.ts";

/** A PNG with alpha and its size in pixels. */
export interface RenderedText {
  readonly file: WorkFile;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws text in any script into a transparent PNG in `work`. The picture is cut to the ink: its first
 * row and column hold a pixel of text each, so that laid at (x, y) the text begins at (x, y). It is
 * never larger than `maxWidth` × `maxHeight`: lines are wrapped, then drawn smaller. Blanks alone
 * give one transparent pixel. Throws only for the machine's own reasons, never for the text.
 */
export async function renderText(
  options: TextOptions,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<RenderedText> {
  const { outputs } = await runImageTask({
    task: "text",
    parameters: { options },
    inputs: [],
    mint: (extension) => work.scratch(extension),
    signal,
  });
  const [drawn] = outputs;
  if (!drawn?.width || !drawn.height) throw new Error("an image worker drew no text");
  const { width, height, ...file } = drawn;
  return { file, width, height };
}
