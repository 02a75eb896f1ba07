import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";

/**
 * The filter that draws `file`, an ASS file that a worker wrote. `displayed` is the frame in square
 * pixels, so that letters are not distorted. libass uses the system's fonts.
 */
export function drawSubtitles({ name }: WorkFile, { width, height }: Frame): string {
  return `ass=filename=${name}:original_size=${width}x${height}:shaping=complex`;
}
