import { alphaDecoder } from "#lib/engines/ffmpeg/alpha.ts";
import {
  applyFilters,
  encodeAs,
  ignoreRotation,
  keepFilterGraph,
  mapStream,
} from "#lib/engines/ffmpeg/arguments.ts";
import { reverseChapters, writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { type AudioStream, isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { mapStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import { toNumber } from "#lib/engines/ffmpeg/media-info.ts";
import { chooseEncoding, deinterlaceFilters } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import {
  outputOf,
  type VideoFile,
  type VideoOutput,
} from "#lib/engines/ffmpeg/video/filter-video.ts";
import { keepHdrMetadata } from "#lib/engines/ffmpeg/video/hdr-metadata.ts";
import { type Segment, writePlaylist } from "#lib/engines/ffmpeg/video/playlist.ts";
import { readFrom } from "#lib/engines/ffmpeg/video/read-from.ts";
import { readVideoPackets } from "#lib/engines/ffmpeg/video/read-packets.ts";
import { videoCodecArguments } from "#lib/engines/ffmpeg/video-formats.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";

/** The decoded frames of one segment in bytes, at 4 bytes for a pixel. */
const segmentBytes = 400 * 2 ** 20;

/**
 * The most frames of a segment. More would not be faster: each segment is decoded from the key
 * frame before it.
 */
const segmentFrames = 150;

/** The decoded audio of all tracks in bytes. */
const maxAudioBytes = 2 ** 30;

/** Frames per second of a video with irregular times, at most. */
const maxRate = 60;

/**
 * Writes a video backwards: the frames of short segments are reversed in memory, and the segments are
 * joined from the last to the first. Frame rates become constant. Subtitles are dropped.
 * Throws `JobError`: `too_complex` if the audio does not fit into memory, and what `runFfmpeg` throws.
 */
export async function reverseVideo(file: VideoFile): Promise<VideoOutput> {
  const { input, info, video, work, signal, progress } = file;
  requireAudioSize(file);
  const packets = await readVideoPackets(input, info, video, work, signal);
  const rate = chooseRate(file);
  const fps = rate.numerator / rate.denominator;
  const times = packets.map(({ time }) => time).sort((a, b) => a - b);
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const count = Math.max(1, Math.round((last - first) * fps) + 1);
  const fitting = Math.floor(segmentBytes / (4 * video.width * video.height));
  const size = Math.min(segmentFrames, Math.max(2, fitting));
  const { codec, container } = chooseEncoding(input.type.id, video);
  const encoder = await keepHdrMetadata(videoCodecArguments(codec, container, video), codec, file);
  const segments: Segment[] = [];
  for (let start = Math.floor((count - 1) / size) * size; start >= 0; start -= size) {
    const frames = Math.min(size, count - start);
    const from = first + start / fps;
    const reader = readFrom({ info, packets }, from);
    const segment = await reverseSegment(file, reader, encoder, frames, rate);
    segments.push({ file: segment, seconds: frames / fps });
    progress?.((90 * (count - start)) / count);
  }
  const output = outputOf(file, container);
  const duration = count / fps;
  const chapters = await writeChapters(reverseChapters(info.chapters, first + duration), 2, work);
  const { frames } = await runFfmpeg({
    work,
    signal,
    inputs: [
      { file: input },
      await writePlaylist(segments, work),
      ...(chapters.input ? [chapters.input] : []),
    ],
    outputs: [
      {
        file: output,
        args: [
          ...mapStream(0, 1),
          ...encodeAs("v", 0, "copy"),
          ...mapStreams(info, video, container, {
            audioFilters: () => reverseAudio(first, duration),
            dropTimedText: true,
            work,
          }),
          ...chapters.args,
        ],
      },
    ],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
  const { width, height } = rotatedFrame(video);
  return { ...output, width, height, duration };
}

/** The frame rate of the video if it is constant, else its finest one up to 60. */
function chooseRate({ video }: VideoFile) {
  const { frameRate, averageFrameRate } = video;
  const nominal = toNumber(frameRate);
  const average = toNumber(averageFrameRate);
  const isConstant = average > 0 && Math.abs(nominal - average) <= 0.01 * average;
  if (isConstant && averageFrameRate) return averageFrameRate;
  if (frameRate && nominal <= maxRate) return frameRate;
  return { numerator: maxRate, denominator: 1 };
}

/** Writes `frames` frames from the start of the input backwards. */
async function reverseSegment(
  { input, video, work, signal }: VideoFile,
  inputArguments: readonly string[],
  encoder: readonly string[],
  frames: number,
  { numerator, denominator }: { readonly numerator: number; readonly denominator: number },
) {
  const { pixelFormat } = chooseEncoding(input.type.id, video);
  const file = work.scratch("mkv");
  const filters = [
    `scale=${video.width}:${video.height}`,
    `fps=${numerator}/${denominator}:start_time=0`,
    // A frame that is missing at the end is a repetition of the last.
    `tpad=stop=${frames}:stop_mode=clone`,
    // The fields of a frame would still be in their order.
    ...deinterlaceFilters(video),
    `trim=end_frame=${frames}`,
    "reverse",
    `setpts=N*${denominator}/${numerator}/TB`,
    ...(pixelFormat ? [`format=${pixelFormat}`] : []),
  ];
  const args = [...ignoreRotation, ...keepFilterGraph, ...alphaDecoder(video), ...inputArguments];
  await runFfmpeg({
    work,
    signal,
    frame: video,
    inputs: [{ file: input, args }],
    outputs: [
      {
        file,
        args: [...mapStream(video.index), ...encoder, ...applyFilters("v", 0, filters)],
      },
    ],
  });
  return file;
}

/** Filters that reverse the `duration` seconds of audio that belong to the video from `start` on. */
function reverseAudio(start: number, duration: number): string[] {
  const end = (start + duration).toFixed(6);
  return [
    "aresample=async=1:first_pts=0",
    `apad=whole_dur=${end}`,
    `atrim=start=${start.toFixed(6)}:end=${end}`,
    "areverse",
    "asetpts=N/SR/TB",
  ];
}

function requireAudioSize({ info }: VideoFile): void {
  const seconds = info.duration ?? 0;
  const bytes = info.streams
    .filter(isDecodableAudio)
    .reduce(
      (sum, { sampleRate, channels }: AudioStream) => sum + 4 * sampleRate * channels * seconds,
      0,
    );
  if (bytes > maxAudioBytes) {
    throw new JobError("too_complex", "This video has too much audio to be reversed.");
  }
}
