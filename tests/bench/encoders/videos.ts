import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "#lib/setup/node24.mjs";
import type { EncoderCase, Sample } from "./interpolate.ts";

const run = promisify(execFile);
const photo = join(projectFolder, "public", "samples", "inputs", "photo.jpg");
const ssim = 0.985;

/** Two seconds of 640×360: a photograph that moves, with the noise of a camera. */
const source = [
  "-loop",
  "1",
  "-framerate",
  "25",
  "-t",
  "2",
  "-i",
  photo,
  "-vf",
  "scale=1280:-2,crop=640:360:x='40+n*3':y='30+n*1.5',noise=alls=2:allf=t+u",
  "-pix_fmt",
  "yuv420p",
  "-c:v",
  "ffv1",
];

interface Setting {
  readonly name: string;
  readonly isUsed?: boolean;
  readonly options: readonly string[];
}

const preset = (name: string, used: boolean): Setting => ({
  name,
  isUsed: used,
  options: ["-preset", name],
});

const speed = (
  mode: "-deadline" | "-usage",
  kind: string,
  value: number,
  used = false,
): Setting => ({
  name: `${kind} ${value}`,
  isUsed: used,
  options: [mode, kind, "-cpu-used", `${value}`, "-row-mt", "1", "-b:v", "0"],
});

const codecs = [
  {
    codec: "H.264",
    encoder: "libx264",
    qualities: [18, 23, 28, 34],
    settings: ["superfast", "veryfast", "fast", "medium"].map((name) =>
      preset(name, name !== "superfast"),
    ),
  },
  {
    codec: "HEVC",
    encoder: "libx265",
    qualities: [18, 24, 30, 36],
    settings: ["ultrafast", "superfast", "veryfast", "fast"].map((name) => ({
      ...preset(name, name.endsWith("fast") && !/^(ultra|super)/.test(name)),
      options: ["-preset", name, "-x265-params", "log-level=error"],
    })),
  },
  {
    codec: "VP9",
    encoder: "libvpx-vp9",
    qualities: [20, 34, 46, 56],
    settings: [
      speed("-deadline", "realtime", 8),
      speed("-deadline", "realtime", 5, true),
      speed("-deadline", "good", 4, true),
    ],
  },
  {
    codec: "AV1",
    encoder: "libaom-av1",
    qualities: [24, 40, 52, 62],
    settings: [
      speed("-usage", "realtime", 8),
      speed("-usage", "realtime", 7, true),
      speed("-usage", "good", 6, true),
    ],
  },
] as const satisfies readonly {
  codec: string;
  encoder: string;
  qualities: readonly number[];
  settings: readonly Setting[];
}[];

/** The cases of video codecs; their files are in `folder`. */
export function videoCases(folder: string): EncoderCase[] {
  return codecs.flatMap(({ codec, encoder, qualities, settings }) =>
    settings.map(
      ({ name, isUsed = false, options }: Setting): EncoderCase => ({
        codec,
        setting: name,
        isUsed,
        ssim,
        qualities,
        encode: (quality) => encode(folder, ["-c:v", encoder, ...options, "-crf", `${quality}`]),
      }),
    ),
  );
}

async function encode(folder: string, options: readonly string[]): Promise<Sample> {
  const original = join(folder, "source.mkv");
  if (!existsSync(original)) await ffmpeg(...source, original);
  const output = join(folder, "output.mkv");
  const log = await ffmpeg("-benchmark", "-i", original, ...options, output);
  const [, user = 0, system = 0] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(log) ?? [];
  const compared = await ffmpeg("-i", output, "-i", original, "-lavfi", "ssim", "-f", "null", "-");
  const [, likeness] = / All:([\d.]+)/.exec(compared) ?? [];
  const { size } = await stat(output);
  return { bytes: size, cpu: Number(user) + Number(system), ssim: Number(likeness) };
}

async function ffmpeg(...args: string[]): Promise<string> {
  return (await run("ffmpeg", ["-hide_banner", "-nostats", "-y", ...args])).stderr;
}
