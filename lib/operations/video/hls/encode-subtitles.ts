import { extractTrack, isTextTrack } from "#lib/engines/ffmpeg/extract-subtitles.ts";
import { JobError } from "#lib/errors.ts";
import { readReport, writeNew } from "#lib/files/regular-files.ts";
import { type HlsCodec, segmentOffset } from "./arguments.ts";
import { type EncodedStream, maxTracks, type Source } from "./encoded-stream.ts";

type EncodedTrack = EncodedStream & { readonly stream: Source["info"]["streams"][number] };

/** Writes each subtitle track of text as WebVTT, in one segment. A track without text is left out. */
export async function encodeSubtitles(source: Source, codec: HlsCodec): Promise<EncodedTrack[]> {
  const { file, info, work, signal } = source;
  const encoded: EncodedTrack[] = [];
  for (const stream of info.streams.filter(isTextTrack).slice(0, maxTracks)) {
    const extracted = await extractTrack({ file, stream, format: "vtt", work, signal }).catch(
      (error: unknown) => {
        if (error instanceof JobError && error.code === "corrupt") return undefined;
        throw error;
      },
    );
    if (!extracted) continue;
    const text = await readReport(extracted.file.path, "utf8");
    // The times of MPEG-TS count ticks of 1/90,000 s.
    const start = Math.round(segmentOffset(codec) * 90_000);
    const map = `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${start},LOCAL:00:00:00.000`;
    const segment = work.scratch("vtt");
    await writeNew(segment.path, text.replace(/^WEBVTT/, map));
    const playlist = work.scratch("m3u8");
    await writeNew(playlist.path, `#EXTINF:${(info.duration ?? 1).toFixed(6)},\n`);
    encoded.push({ playlist, init: undefined, segments: [segment], stream });
  }
  return encoded;
}
