import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { type MediaInfo, probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { readFrame } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { drawSvg } from "#lib/engines/worker/image/image-info.ts";
import type { InputFile } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { drawWaveform } from "../../shared/audio/draw-waveform.ts";
import { measurePeaks } from "../../shared/audio/measure-peaks.ts";
import { renderPageImage } from "../../shared/to-pdf/page-image.ts";
import { extractCover } from "../../shared/video/extract-cover.ts";
import { selectFrame } from "../../shared/video/select-frame.ts";

export interface PictureRequest {
  readonly input: InputFile;
  /** The pixels that are wanted. */
  readonly width: number;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

export interface Picture {
  readonly file: WorkFile;
  readonly source: "image" | "frame" | "cover" | "waveform" | "page";
}

/** Files of plain text, which are shown as text documents are. */
export const textTypes = ["srt", "vtt", "ass", "json"] as const satisfies MediaTypeId[];

/** A picture of a file of any kind. Throws `JobError` if there is nothing to show. */
export async function pictureOf(request: PictureRequest): Promise<Picture> {
  const { input, width, work, signal } = request;
  const { id, kind } = input.type;
  if (kind === "image") return { file: input, source: "image" };
  if (kind === "video" || kind === "audio") return pictureOfMedia(request);
  const isText = textTypes.some((type) => type === id);
  const document = isText ? { ...input, type: mediaType("txt") } : input;
  const page = { page: 1, width };
  const file = await renderPageImage(document, page, work.scratch("png"), work, signal);
  return { file, source: "page" };
}

/** A frame of a video; the cover or the waveform of audio. */
async function pictureOfMedia({ input, width, work, signal }: PictureRequest): Promise<Picture> {
  const info = await probe(input, work, signal);
  const hasVideo = info.streams.some((one) => one.type === "video" && !one.attachedPicture);
  if (hasVideo) {
    const video = requireVideo(info);
    const source = { file: input, info, video };
    const time = await selectFrame(source, video.duration ?? info.duration ?? 0, work, signal);
    const request = { ...source, time, format: "png", width, work, signal } as const;
    return { file: await readFrame(request, work.scratch("png")), source: "frame" };
  }
  const cover = await extractCover(input, info, work, signal).catch(withoutDamage);
  if (cover) return { file: cover, source: "cover" };
  return { file: await drawAudio({ input, width, work, signal }, info), source: "waveform" };
}

/** A damaged cover is as good as none. */
function withoutDamage(error: unknown): undefined {
  if (error instanceof JobError && error.fault === "caller") return undefined;
  throw error;
}

const waveform = { color: "#2563eb", background: "#f1f5f9" };

/** Two fifths as high as wide. */
async function drawAudio(
  { input, width, work, signal }: PictureRequest,
  info: MediaInfo,
): Promise<WorkFile> {
  const stream = requireAudio(info);
  const source = { file: input, stream, work, signal, duration: info.duration };
  const { peaks } = await measurePeaks(source, width);
  const drawing = work.scratch("svg");
  const size = { width, height: Math.round(width * 0.4) };
  await writeNew(drawing.path, drawWaveform(peaks, { ...size, ...waveform }));
  return drawSvg(drawing, {}, work, signal);
}
