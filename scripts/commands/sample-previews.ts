import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { readZipEntries, type ZipEntry } from "#components/preview/zip-entries.ts";

const execute = promisify(execFile);

/** The most pixels of a picture's longer side: what the widest column shows on a dense screen. */
const maxPictureSide = 1280;

/** Writes an AVIF image of a PDF's first page, or of a video's frame at 1.5 s, to `poster`. */
export async function drawPoster(path: string, poster: string): Promise<void> {
  const picture = await (path.endsWith(".pdf") ? drawPage(path) : drawFrame(path));
  await writeAvif(picture, poster);
  await rm(picture);
}

/** Whether a picture has several frames. */
export async function isAnimated(path: string): Promise<boolean> {
  const frames = await execute("vipsheader", ["-f", "n-pages", path], withoutSharp).then(
    ({ stdout }) => Number(stdout),
    () => 1,
  );
  return frames > 1;
}

/** Writes a picture as AVIF, made smaller if it is large. */
export async function writeAvif(path: string, target: string): Promise<void> {
  const size = `${maxPictureSide}x${maxPictureSide}>`;
  const output = `${target}[Q=70,effort=7,strip]`;
  await execute("vipsthumbnail", [path, "-s", size, "-o", output], withoutSharp);
}

/** What a tile of the home page shows of a picture, on a dense screen. */
const tileSize = "260x360>";

/** Writes a picture as a small AVIF for a tile of the home page. */
export async function writeTile(path: string, target: string): Promise<void> {
  const output = `${target}[Q=55,effort=7,strip]`;
  await execute("vipsthumbnail", [path, "-s", tileSize, "-o", output], withoutSharp);
}

/** sharp sets VIPSHOME, with which the system's libvips does not find its modules. */
const { VIPSHOME: _, ...environment } = process.env;
const withoutSharp = { env: environment };

async function drawFrame(path: string): Promise<string> {
  const frame = join(tmpdir(), `${basename(path)}.${process.pid}.png`);
  const options = ["-y", "-v", "error", "-ss", "1.5", "-i", path, "-frames:v", "1", frame];
  await execute("ffmpeg", options);
  return frame;
}

/** Whether a PDF opens with a password only. */
export async function needsPassword(path: string): Promise<boolean> {
  return execute("pdfinfo", [path]).then(
    () => false,
    (error: { stderr?: string }) => /password/i.test(error.stderr ?? ""),
  );
}

async function drawPage(path: string): Promise<string> {
  const stem = join(tmpdir(), `${basename(path)}.${process.pid}`);
  await execute("pdftoppm", ["-png", "-singlefile", "-r", "110", path, stem]);
  return `${stem}.png`;
}

const barCount = 96;
const sampleRate = 8000;

/** The highest absolute sample value in each of 96 equal parts, 0 to 1: a waveform. */
export async function readPeaks(path: string): Promise<number[]> {
  const raw = ["-f", "f32le", "-ac", "1", "-ar", String(sampleRate), "-"];
  const { stdout } = await execute("ffmpeg", ["-v", "error", "-i", path, ...raw], {
    encoding: "buffer",
    maxBuffer: 2 ** 28,
  });
  const samples = new Float32Array(new Uint8Array(stdout).buffer);
  const length = Math.ceil(samples.length / barCount);
  return Array.from({ length: barCount }, (_, bar) => {
    const part = samples.subarray(bar * length, (bar + 1) * length);
    const peak = part.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
    return Number(peak.toFixed(3));
  });
}

/** The EXIF, XMP and IPTC tags that exiftool finds. */
export async function readTags(path: string): Promise<Record<string, string>> {
  const groups = ["-EXIF:all", "-XMP:all", "-IPTC:all"];
  const { stdout } = await execute("exiftool", ["-j", ...groups, path]);
  const [{ SourceFile: _, ...tags }] = JSON.parse(stdout);
  return tags;
}

/** The lines of a text file that the site shows. */
const maxLines = 30;

/** The start of a text file. */
export async function readTextStart(path: string): Promise<string> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.length > maxLines ? [...lines.slice(0, maxLines), "…"].join("\n") : lines.join("\n");
}

/** The files of a ZIP archive. */
export async function readEntries(path: string): Promise<ZipEntry[]> {
  const bytes = await readFile(path);
  return (await readZipEntries(bytes.length, async (from, to) => bytes.subarray(from, to))) ?? [];
}
