import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imageCases } from "./encoders/images.ts";
import { type EncoderCase, interpolate, type Sample } from "./encoders/interpolate.ts";
import { videoCases } from "./encoders/videos.ts";
import { type BenchRow, makeRow } from "./report/rows.ts";

/**
 * Bytes and CPU time of each encoder at the same SSIM, for the settings that operations use and the
 * adjacent ones. Each setting encodes at several qualities; the values at the SSIM of the row's name lie on
 * the curve through them. CPU time is that of all threads, so load on the machine changes it little.
 */
export default {
  title: "encoders",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-encoders-"));
    try {
      const rows: BenchRow[] = [];
      for (const one of [...(await imageCases()), ...videoCases(folder)]) {
        rows.push(await measure(one));
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure({ codec, setting, isUsed, ssim, qualities, encode }: EncoderCase) {
  const samples: Sample[] = [];
  for (const quality of qualities) samples.push(await encode(quality));
  const { bytes, cpu } = interpolate(samples, ssim);
  const side = isUsed ? `${setting} (used)` : setting;
  return makeRow(`${codec} at SSIM ${ssim}`, side, "kB", bytes / 1000, { cpu });
}
