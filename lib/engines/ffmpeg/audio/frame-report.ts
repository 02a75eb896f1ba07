import { createInterface } from "node:readline";
import { streamRegular } from "#lib/files/regular-files.ts";
import type { WorkFile } from "../../sandbox/work-folder.ts";

/** One entry of a report that ffmpeg's `metadata` or `ametadata` filter printed. */
export interface ReportEntry {
  /** The frame's presentation time, in units of its time base: samples for audio. */
  readonly pts: number;
  /** The time in seconds, to six digits. */
  readonly seconds: number;
  /** The name of the entry, such as `lavfi.silence_start`. */
  readonly name: string;
  readonly value: number;
}

/** Reads `file` line by line, because it may be large. Values that are not numbers are left out. */
export async function* readFrameReport({ path }: WorkFile): AsyncGenerator<ReportEntry> {
  let pts = 0;
  let seconds = 0;
  const lines = createInterface({ input: streamRegular(path), crlfDelay: Infinity });
  for await (const line of lines) {
    const frame = /^frame:\d+ +pts:(-?\d+) +pts_time:(-?[\d.e+-]+)/.exec(line);
    if (frame) {
      pts = Number(frame[1]);
      seconds = Number(frame[2]);
      continue;
    }
    const separator = line.indexOf("=");
    const value = Number(line.slice(separator + 1));
    if (separator > 0 && Number.isFinite(value)) {
      yield { pts, seconds, name: line.slice(0, separator), value };
    }
  }
}
