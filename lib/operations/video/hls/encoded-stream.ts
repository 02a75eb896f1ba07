import type { FrameSource } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/** A playlist of ffmpeg and its segments, all scratch files. */
export interface EncodedStream {
  readonly playlist: WorkFile;
  /** What precedes the segments in MP4. */
  readonly init: WorkFile | undefined;
  readonly segments: readonly WorkFile[];
}

export interface Source extends FrameSource {
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
}

/** Players let the viewer choose among this many languages. */
export const maxTracks = 8;
