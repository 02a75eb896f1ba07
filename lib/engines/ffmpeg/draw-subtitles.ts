import type { WorkFile } from "../sandbox/work-folder.ts";
import type { Frame } from "./video-frame.ts";

/**
 * The filter that draws `file`, an ASS file that a worker wrote. `displayed` is the frame in square
 * pixels, so that letters are not distorted. libass uses the system's fonts.
 */
export function drawSubtitles({ name }: WorkFile, { width, height }: Frame): string {
  return `ass=filename=${name}:original_size=${width}x${height}:shaping=complex`;
}
