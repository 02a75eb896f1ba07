import { encodeAs, mapStream } from "../arguments.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import { mapStreams } from "../map-streams.ts";
import { dropPacketsOutside, filterPackets, setTimescale } from "../packet-arguments.ts";
import type { VideoContainerId } from "../video-formats.ts";
import type { VideoFile } from "./filter-video.ts";
import type { Segment } from "./playlist.ts";
import { readVideoPackets } from "./read-packets.ts";

/**
 * Copies a whole video to a scratch file that can follow another one in a playlist: audio starts and
 * ends with the video. Cover art, subtitles and chapters are not copied. Throws what `runFfmpeg` throws.
 */
export async function copySegment(file: VideoFile, container: VideoContainerId): Promise<Segment> {
  const { input, info, video, work, signal } = file;
  const seconds = await measureVideo(file);
  const streams = info.streams.filter(({ attachedPicture }) => !attachedPicture);
  const scratch = work.scratch(container);
  const tracks = streams.filter(({ type, codec }) => type === "audio" && codec !== undefined);
  const isIso = ["mp4", "mov"].includes(container);
  const { frames } = await runFfmpeg({
    work,
    signal,
    inputs: [{ file: input }],
    outputs: [
      {
        file: scratch,
        args: [
          ...mapStream(video.index),
          ...encodeAs("v", 0, "copy"),
          ...mapStreams({ ...info, streams }, video, container, { dropTimedText: true, work }),
          ...tracks.flatMap((_, track) =>
            filterPackets("a", track, [dropPacketsOutside(-0.001, seconds - 0.001)]),
          ),
          ...(isIso && video.timeBase ? setTimescale(video.timeBase.denominator) : []),
        ],
      },
    ],
  });
  return { file: scratch, seconds: frames === 0 ? 0 : seconds };
}

/** When the last frame ends, in seconds from the start of the file. */
async function measureVideo({ input, info, video, work, signal }: VideoFile): Promise<number> {
  const packets = await readVideoPackets(input, info, video, work, signal);
  const times = packets.map(({ time }) => time).sort((a, b) => a - b);
  const last = times.at(-1) ?? 0;
  const span = last - (times[0] ?? 0);
  return last + (times.length > 1 ? span / (times.length - 1) : (info.duration ?? 0.04));
}
