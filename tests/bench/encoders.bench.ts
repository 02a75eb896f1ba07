import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BenchRow, makeRow } from "./report/rows.ts";

const run = promisify(execFile);

/** One way to encode: the options without the quality, and the qualities to try, best first. */
interface Candidate {
  readonly name: string;
  readonly args: readonly string[];
  readonly qualities: readonly number[];
}

const x264 = (preset: string): Candidate => ({
  name: `H.264, x264 ${preset}`,
  args: ["-c:v", "libx264", "-preset", preset],
  qualities: [18, 24, 30],
});
const x265 = (preset: string): Candidate => ({
  name: `HEVC, x265 ${preset}`,
  args: ["-c:v", "libx265", "-preset", preset, "-x265-params", "log-level=error"],
  qualities: [20, 26, 32],
});
const vp9 = (deadline: string, speed: number): Candidate => ({
  name: `VP9, libvpx ${deadline} ${speed}`,
  args: [
    ...["-c:v", "libvpx-vp9", "-b:v", "0", "-row-mt", "1"],
    ...["-deadline", deadline, "-cpu-used", `${speed}`],
  ],
  qualities: [18, 30, 42],
});
const av1 = (speed: number): Candidate => ({
  name: `AV1, libaom realtime ${speed}`,
  args: [
    ...["-c:v", "libaom-av1", "-b:v", "0", "-row-mt", "1"],
    ...["-usage", "realtime", "-cpu-used", `${speed}`],
  ],
  qualities: [18, 30, 42],
});

const candidates = [
  ...["ultrafast", "superfast", "veryfast", "faster", "medium"].map(x264),
  ...["ultrafast", "superfast", "veryfast", "medium"].map(x265),
  ...[vp9("realtime", 8), vp9("realtime", 5), vp9("good", 4)],
  ...[av1(8), av1(6)],
];

/** The similarity at which all are compared. At 640×360, differences are then hardly visible. */
const wantedSsim = 0.985;

interface Encoded {
  readonly ssim: number;
  readonly kilobytes: number;
  readonly cpuSeconds: number;
}

/** Two seconds of the site's sample video with fine noise, without loss. */
async function makeSource(folder: string): Promise<string> {
  const sample = join(import.meta.dirname, "../../public/samples/inputs/video.mp4");
  const path = join(folder, "source.mkv");
  const grain = ["-vf", "noise=alls=8:allf=t:all_seed=7", "-pix_fmt", "yuv420p"];
  await run("ffmpeg", [
    "-v",
    "error",
    "-t",
    "3",
    "-i",
    sample,
    "-an",
    ...grain,
    "-c:v",
    "ffv1",
    path,
  ]);
  return path;
}

async function encode(source: string, target: string, args: readonly string[]): Promise<Encoded> {
  const options = ["-v", "info", "-nostats", "-benchmark", "-y", "-i", source, ...args, target];
  const { stderr } = await run("ffmpeg", options, { maxBuffer: 2 ** 26 });
  const [, user, system] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  const compared = ["-v", "info", "-nostats", "-i", target, "-i", source, "-lavfi", "ssim"];
  const { stderr: report } = await run("ffmpeg", [...compared, "-f", "null", "-"]);
  const ssim = Number(/ All:([\d.]+)/.exec(report)?.[1]);
  const { size } = await stat(target);
  return { ssim, kilobytes: size / 1000, cpuSeconds: Number(user) + Number(system) };
}

/** Size and CPU time at the wanted similarity, between the two nearest qualities. */
function interpolate(encoded: readonly Encoded[]): Omit<Encoded, "ssim"> {
  const above = encoded.findLast(({ ssim }) => ssim >= wantedSsim);
  const below = encoded.find(({ ssim }) => ssim < wantedSsim);
  const [near, far] = [above ?? below, below ?? above];
  if (!near || !far) throw new Error("nothing was encoded");
  const share = near === far ? 0 : (near.ssim - wantedSsim) / (near.ssim - far.ssim);
  const between = (one: number, other: number) => one + (other - one) * share;
  return {
    kilobytes: between(near.kilobytes, far.kilobytes),
    cpuSeconds: between(near.cpuSeconds, far.cpuSeconds),
  };
}

/** Size and CPU time of the video encoders at one similarity to the source. */
export default {
  title: "video encoders",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-encoders-"));
    try {
      const source = await makeSource(folder);
      const rows: BenchRow[] = [];
      for (const { name, args, qualities } of candidates) {
        const encoded: Encoded[] = [];
        for (const quality of qualities) {
          const target = join(folder, "out.mkv");
          encoded.push(await encode(source, target, [...args, "-crf", `${quality}`]));
        }
        const { kilobytes, cpuSeconds } = interpolate(encoded);
        const row = `${name}, SSIM ${wantedSsim}`;
        rows.push(
          makeRow(row, "size", "kB", kilobytes),
          makeRow(row, "CPU time", "s", cpuSeconds, { cpu: cpuSeconds }),
        );
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
