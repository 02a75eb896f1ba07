import { createCipheriv, randomBytes } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import {
  openRegular,
  overwriteRegular,
  readRegular,
  readReport,
  statRegular,
  streamToNew,
} from "#lib/files/regular-files.ts";
import { addRegularFile } from "#lib/formats/zip/add-regular-file.ts";
import type { HlsCodec } from "./arguments.ts";
import { readCodecString } from "./codec-string.ts";
import type { Presentation } from "./encode-renditions.ts";
import type { EncodedStream } from "./encoded-stream.ts";
import {
  type MasterAudio,
  type MasterTrack,
  type MasterVideo,
  writeMaster,
  writeMedia,
} from "./playlists.ts";

/** The name of the key in the ZIP. */
const keyName = "encryption.key";

interface Packed {
  /** The URI of the playlist in the ZIP. */
  readonly uri: string;
  /** The highest bit rate in bit/s. */
  readonly peak: number;
  readonly average: number;
}

/**
 * Writes a ZIP with the master playlist, the media playlists and their segments, which are encrypted if
 * there is a `key` of 16 bytes. Returns the renditions for the job's result.
 */
export async function packageRenditions(
  { videos, audios, subtitles, fps }: Presentation,
  codec: HlsCodec,
  key: Buffer | undefined,
  output: WorkFile,
  signal: AbortSignal,
): Promise<Rendition[]> {
  const zip = new ZipFile();
  // yazl declares the stream by its interface; it is a PassThrough.
  const file = streamToNew(output.path);
  const written = pipeline(zip.outputStream, file, { signal });
  zip.on("error", (error: Error) => file.destroy(error));
  const masterAudios: MasterAudio[] = [];
  for (const [index, audio] of audios.entries()) {
    const packed = await addStream(zip, `audio-${index + 1}`, audio, key);
    const { language, tags } = audio.stream;
    masterAudios.push({ ...packed, language, name: tags.title });
  }
  const masterSubtitles: MasterTrack[] = [];
  for (const [index, track] of subtitles.entries()) {
    const { uri } = await addStream(zip, `subtitles-${index + 1}`, track, key);
    const { language, tags } = track.stream;
    masterSubtitles.push({ uri, language, name: tags.title });
  }
  const masterVideos: MasterVideo[] = [];
  for (const video of videos) {
    // Before the segments are encrypted.
    const codecString = readCodecString(codec, await readStart(video));
    const packed = await addStream(zip, `video-${video.frame.height}`, video, key);
    masterVideos.push({ ...packed, ...video.frame, codec: codecString, fps });
  }
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name);
  add("master.m3u8", writeMaster(masterVideos, masterAudios, masterSubtitles));
  if (key) zip.addBuffer(key, keyName, { compress: false });
  zip.end();
  await written;
  return masterVideos.map(({ uri, width, height, peak, codec: name }) => ({
    playlist: uri,
    width,
    height,
    bandwidth: peak,
    codec: name,
  }));
}

/** A rendition as the result has it; `bandwidth` is in bits per second. */
export interface Rendition {
  readonly playlist: string;
  readonly width: number;
  readonly height: number;
  readonly bandwidth: number;
  readonly codec: string;
}

/** Adds the segments and the playlist of one stream in `folder`. */
async function addStream(
  zip: ZipFile,
  folder: string,
  { playlist, init, segments }: EncodedStream,
  key: Buffer | undefined,
): Promise<Packed> {
  const iv = randomBytes(16);
  const durations = readDurations(await readReport(playlist.path, "utf8"));
  const named = segments.map((file, index) => ({
    file,
    duration: durations[index] ?? 0,
    name: `${`${index}`.padStart(5, "0")}.${file.extension}`,
  }));
  if (init) addFile(zip, init, `${folder}/init.mp4`);
  let peak = 0;
  let bytes = 0;
  let seconds = 0;
  for (const { file, name, duration } of named) {
    const { size } = await statRegular(file.path);
    [bytes, seconds] = [bytes + size, seconds + duration];
    // A short last segment says nothing about the bit rate.
    if (duration >= 1 || named.length === 1) peak = Math.max(peak, (size * 8) / duration);
    if (key) await encryptFile(file, key, iv);
    addFile(zip, file, `${folder}/${name}`);
  }
  const encryption = key ? { uri: `../${keyName}`, iv: iv.toString("hex") } : undefined;
  const text = writeMedia(named, init ? "init.mp4" : undefined, encryption);
  zip.addBuffer(Buffer.from(text), `${folder}/index.m3u8`);
  const average = Math.ceil((bytes * 8) / Math.max(seconds, 0.001));
  return { uri: `${folder}/index.m3u8`, peak: Math.max(Math.ceil(peak), average), average };
}

function addFile(zip: ZipFile, { path }: WorkFile, name: string): void {
  addRegularFile(zip, name, path, { compress: false });
}

/** A segment is short enough to be in memory. */
async function encryptFile({ path }: WorkFile, key: Buffer, iv: Buffer): Promise<void> {
  const cipher = createCipheriv("aes-128-cbc", key, iv);
  const encrypted = [cipher.update(await readRegular(path)), cipher.final()];
  await overwriteRegular(path, Buffer.concat(encrypted));
}

function readDurations(playlist: string): number[] {
  return [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
}

/** The first 64 KiB, in which the parameters of the codec are. */
async function readStart({ init, segments }: EncodedStream): Promise<Buffer> {
  const file = init ?? segments[0];
  if (!file) throw new Error("a rendition has no segments");
  const handle = await openRegular(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
