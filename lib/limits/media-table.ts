import type { FileLimit } from "./file-limit.ts";

/** The rows of the limits table for video and audio. */
export const mediaLimits = {
  framePixels: {
    kind: "video and audio",
    description: "Pixels of a frame (8192×4352, 8K)",
    unit: "pixels",
    // The largest frame of H.264 (level 6.2).
    max: 8192 * 4352,
    code: "too_complex",
    message: "This file is too complex. Frames may have at most {max} (8K).",
  },
  frameSide: {
    kind: "video and audio",
    description: "Width and height of a frame, each",
    unit: "px",
    max: 16_384,
    code: "too_complex",
    message: "This file is too complex. Frames may be at most {max} wide or high.",
  },
  frameRate: {
    kind: "video and audio",
    description: "Frame rate",
    unit: "frames per second",
    max: 1000,
    code: "too_complex",
    message: "This file is too complex. Videos may have at most {max}.",
  },
  duration: {
    kind: "video and audio",
    description: "Duration",
    unit: "seconds",
    max: 24 * 3600,
    code: "too_complex",
    message: "This file is too complex. Files may last at most {max}.",
  },
  streams: {
    kind: "video and audio",
    description: "Streams of a file",
    unit: "streams",
    max: 64,
    code: "too_complex",
    message: "This file is too complex. Files may have at most {max}.",
  },
  audioChannels: {
    kind: "video and audio",
    description: "Audio channels",
    unit: "channels",
    // 22.2 is the largest layout in use.
    max: 24,
    code: "too_complex",
    message: "This file is too complex. Audio may have at most {max}.",
  },
  sampleRate: {
    kind: "video and audio",
    description: "Sample rate",
    unit: "Hz",
    max: 768_000,
    code: "too_complex",
    message: "This file is too complex. Audio may have at most {max}.",
  },
  mediaHeaderBytes: {
    kind: "video and audio",
    description: "Tags, streams and chapters, as JSON",
    unit: "bytes",
    max: 16_000_000,
    code: "too_complex",
    message: "This file is too complex. It has too many tags, streams or chapters.",
  },
} as const satisfies Record<string, FileLimit>;
