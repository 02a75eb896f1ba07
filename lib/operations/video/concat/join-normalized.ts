import { encodeAs, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { concatChapters, writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { warnOfDropped } from "#lib/engines/ffmpeg/dropped-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { type Rational, toNumber } from "#lib/engines/ffmpeg/media-info.ts";
import { setAudioBitRate } from "#lib/engines/ffmpeg/packet-arguments.ts";
import type { VideoFile, VideoOutput } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { measureVideo } from "#lib/engines/ffmpeg/video/measure-video.ts";
import { requireFrame } from "#lib/engines/ffmpeg/video/output-frame.ts";
import { type Segment, writePlaylist } from "#lib/engines/ffmpeg/video/playlist.ts";
import { irregularRate, minSteadyRate, steadyRate } from "#lib/engines/ffmpeg/video/steady-rate.ts";
import { videoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { displayedFrame, evenFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { colorsOf } from "./join-colors.ts";
import type { JoinFormat, Transition } from "./join-format.ts";
import { type Clip, type Piece, writeClip } from "./write-clip.ts";
import { writeTransition } from "./write-transition.ts";

const maxRate = 60;

/**
 * Joins files of any format: with the size and the colors of the first, the highest of their frame rates up
 * to 60, and stereo, or 5.1 if all that have audio are 5.1. Each transition lasts `seconds`, or half of the shorter
 * of its files. Writes H.264 and AAC, with the chapters and the main audio track of each. Throws what `runFfmpeg` throws.
 */
export async function joinNormalized(
  files: readonly VideoFile[],
  transition: Transition,
  seconds: number,
): Promise<VideoOutput> {
  const [first] = files;
  if (!first) throw new Error("there are no files");
  const { work, signal, progress } = first;
  const format = chooseFormat(files, first);
  const fps = toNumber(format.rate);
  for (const file of files) warnOfLostTracks(file);
  const counts: number[] = [];
  for (const file of files) {
    counts.push(Math.max(1, Math.round((await measureVideo(file, true)) * fps)));
  }
  const overlaps = counts.slice(1).map((count, index) => {
    const shorter = Math.min(count, counts[index] ?? 0);
    return transition === "none" ? 0 : Math.min(Math.round(seconds * fps), Math.floor(shorter / 2));
  });
  const pieces: Piece[] = [];
  let previous: Clip | undefined;
  for (const [index, file] of files.entries()) {
    const before = overlaps[index - 1] ?? 0;
    const after = overlaps[index] ?? 0;
    const clip = await writeClip(file, format, { count: counts[index] ?? 1, before, after });
    if (previous?.tail && clip.head) {
      pieces.push(await writeTransition(first, format, transition, previous.tail, clip.head));
    }
    if (clip.body) pieces.push(clip.body);
    previous = clip;
    progress?.((90 * (index + 1)) / files.length);
  }
  const output = work.output("mp4");
  const duration = pieces.reduce((sum, piece) => sum + piece.frames, 0) / fps;
  const toSegments = (choose: (piece: Piece) => WorkFile | undefined): Segment[] =>
    pieces.flatMap((piece) => {
      const file = choose(piece);
      return file ? [{ file, seconds: piece.frames / fps }] : [];
    });
  const audio = toSegments((piece) => piece.audio);
  const parts = files.map(({ info }, index) => ({
    chapters: info.chapters,
    seconds: ((counts[index] ?? 0) - (overlaps[index] ?? 0)) / fps,
  }));
  const chapters = await writeChapters(concatChapters(parts), audio.length > 0 ? 2 : 1, work);
  await runFfmpeg({
    work,
    signal,
    inputs: [
      await writePlaylist(
        toSegments((piece) => piece.video),
        work,
      ),
      ...(audio.length > 0 ? [await writePlaylist(audio, work)] : []),
      ...(chapters.input ? [chapters.input] : []),
    ],
    outputs: [
      {
        file: output,
        args: [
          ...mapStream(0),
          ...encodeAs("v", 0, "copy"),
          ...(audio.length > 0 ? [...mapStream(0, 1), ...encodeAs("a", 0, "aac")] : []),
          ...(audio.length > 0 ? setAudioBitRate(64_000 * format.channels) : []),
          ...chapters.args,
          ...videoContainer("mp4").muxer,
        ],
      },
    ],
  });
  return { ...output, width: format.width, height: format.height, duration };
}

function warnOfLostTracks({ info: { streams }, work }: VideoFile): void {
  warnOfDropped(streams, { audio: [], subtitles: [] }, "mp4", {
    work,
    dropAudio: true,
    dropTimedText: true,
  });
  const isAlone = streams.filter(isDecodableAudio).length < 2;
  if (!isAlone) work.warn("Only the main audio track of each video was kept.");
}

function chooseFormat(files: readonly VideoFile[], first: VideoFile): JoinFormat {
  const frame = requireFrame(evenFrame(displayedFrame(first.video)));
  const rates = files.flatMap((file) => rateOf(file) ?? []);
  const rate = rates.reduce<Rational>(
    (best, one) => (toNumber(one) > toNumber(best) ? one : best),
    rates[0] ?? { numerator: 25, denominator: 1 },
  );
  const tracks = files.flatMap(({ info }) => info.streams.find(isDecodableAudio) ?? []);
  const isSurround = tracks.every(({ channels }) => channels >= 6);
  return {
    ...frame,
    colors: colorsOf(first.video),
    rate: toNumber(rate) > maxRate ? { numerator: maxRate, denominator: 1 } : rate,
    channels: tracks.length === 0 ? 0 : isSurround ? 6 : 2,
  };
}

/** The average rate of frames at regular times, else 30 or 60; undefined for a series of slides. */
function rateOf({ video }: VideoFile): Rational | undefined {
  const average = toNumber(video.averageFrameRate);
  const isSeries = average < minSteadyRate;
  return (
    steadyRate(video) ??
    (isSeries ? undefined : { numerator: irregularRate(average), denominator: 1 })
  );
}
