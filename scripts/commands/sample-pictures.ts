import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Writes a WebP of a PDF's first page, or of a film's second second, beside it; answers its name. */
export async function drawPoster(path: string): Promise<string> {
  const poster = `${path.replace(/\.\w+$/, "")}.poster.webp`;
  const source = path.endsWith(".pdf") ? await drawPage(path) : path;
  const seek = source === path ? ["-ss", "1.5"] : [];
  const quality = ["-c:v", "libwebp", "-quality", "82"];
  await execute("ffmpeg", [
    "-y",
    "-v",
    "error",
    ...seek,
    "-i",
    source,
    "-frames:v",
    "1",
    ...quality,
    poster,
  ]);
  return basename(poster);
}

async function drawPage(path: string): Promise<string> {
  const stem = join(tmpdir(), `${basename(path)}.${process.pid}`);
  await execute("pdftoppm", ["-png", "-singlefile", "-r", "110", path, stem]);
  return `${stem}.png`;
}

const bars = 96;
const sampleRate = 8000;

/** The loudest sample of each of 96 equal parts, 0 to 1: a wave form to draw. */
export async function readPeaks(path: string): Promise<number[]> {
  const raw = ["-f", "f32le", "-ac", "1", "-ar", String(sampleRate), "-"];
  const { stdout } = await execute("ffmpeg", ["-v", "error", "-i", path, ...raw], {
    encoding: "buffer",
    maxBuffer: 2 ** 28,
  });
  const samples = new Float32Array(new Uint8Array(stdout).buffer);
  const length = Math.ceil(samples.length / bars);
  return Array.from({ length: bars }, (_, bar) => {
    const part = samples.subarray(bar * length, (bar + 1) * length);
    const peak = part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    return Number(peak.toFixed(3));
  });
}
