import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeDocx } from "#tests/samples/office/word.ts";
import { type Stack, startStack } from "#tests/service/stack.ts";
import {
  type BareEngine,
  startBareChromium,
  startBareLibreOffice,
  startBareSharp,
} from "./engines/bare-engines.ts";
import { LoadGenerator, type LoadPlan } from "./load/load.ts";
import { uploadAndWait } from "./load/requests.ts";
import { makeNoise } from "./load/small-jobs.ts";
import { computeMedian } from "./measure/measure.ts";
import { readBusySeconds, readCpuSeconds, subtractCpuSeconds } from "./measure/process-times.ts";
import { type BenchRow, makeRow, measureInTurns, timed } from "./report/rows.ts";

/**
 * How busy the service keeps its engines: jobs per second with 8 clients against the bare engine in a
 * loop, in turns, and the time of each step of a job. One job of ffmpeg is compared by its time.
 */

const clients = 8;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 5);

interface EngineCase {
  readonly operation: string;
  readonly file: string;
  readonly startBare: () => Promise<BareEngine> | BareEngine;
  /** The least share of the bare engine's rate. */
  readonly minRatio: number;
}

const run = promisify(execFile);

export default {
  title: "engines",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
    const path = (name: string) => join(folder, name);
    const cases: readonly EngineCase[] = [
      {
        operation: "document/html-to-pdf",
        file: "page.html",
        startBare: () => startBareChromium(path("page.html")),
        minRatio: 0.8,
      },
      {
        operation: "document/doc-to-pdf",
        file: "letter.docx",
        startBare: () => startBareLibreOffice(path("letter.docx"), folder),
        minRatio: 0.7,
      },
      {
        operation: "image/sharpen",
        file: "photo.jpg",
        startBare: () => startBareSharp(path("photo.jpg")),
        minRatio: 0.85,
      },
    ];
    await makeInputs(path);
    const stack = await startStack({ LOG_LEVEL: "debug" });
    const generator = await LoadGenerator.start();
    try {
      const rows = [];
      for (const one of cases) {
        const bytes = await readFile(path(one.file));
        const plan = uploadAndWait(stack, one.operation, { name: one.file, bytes });
        rows.push(...(await measureRates(one, plan, stack, generator)));
      }
      return [...rows, ...(await measureOverlay(path("video.mp4"), folder, stack, generator))];
    } finally {
      await generator.stop();
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function makeInputs(path: (name: string) => string): Promise<void> {
  await makeNoise(2040, 1360).blur(2).jpeg({ quality: 90 }).toFile(path("photo.jpg"));
  const text = "<p>of text</p>".repeat(12);
  await writeFile(path("page.html"), `<!doctype html><h1>One page</h1>${text}`);
  const paragraph = "This paragraph of a letter fills one line of the page or two. ".repeat(3);
  await writeFile(path("letter.docx"), makeDocx(["Dear reader,", ...Array(8).fill(paragraph)]));
  await run("ffmpeg", [
    "-v",
    "error",
    "-f",
    "lavfi",
    "-i",
    "testsrc2=s=1920x1080:r=30:d=30",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-crf",
    "18",
    "-pix_fmt",
    "yuv420p",
    path("video.mp4"),
  ]);
}

/** Jobs and runs per second, their ratio, and where the time of a job goes. */
async function measureRates(
  { operation, file, startBare, minRatio }: EngineCase,
  plan: Omit<LoadPlan, "clients">,
  stack: Stack,
  generator: LoadGenerator,
): Promise<BenchRow[]> {
  const name = `${operation}, ${file}`;
  const bare = await startBare();
  await generator.send({ ...plan, clients, seconds: 2 }); // warms up
  const logStart = stack.output().length;
  const used = new Map<string, number>();
  let jobs = 0;
  let busy = 0;
  try {
    const measured = await measureInTurns(
      {
        async service() {
          const before = readCpuSeconds(stack.process.pid ?? 0);
          const busyBefore = readBusySeconds();
          const result = await generator.send({ ...plan, clients, seconds });
          const programs = subtractCpuSeconds(readCpuSeconds(stack.process.pid ?? 0), before);
          for (const [name, value] of programs) used.set(name, (used.get(name) ?? 0) + value);
          jobs += result.latenciesMs.length;
          busy += readBusySeconds() - busyBefore;
          return { value: result.latenciesMs.length / result.seconds, cpuSeconds: sumOf(programs) };
        },
        async bare() {
          const before = readCpuSeconds(bare.pid);
          const runs = await bare.run(seconds);
          const own = subtractCpuSeconds(readCpuSeconds(bare.pid), before);
          return { value: runs / seconds, cpuSeconds: sumOf(own) };
        },
      },
      { rounds, warmUps: 0 },
    );
    const service = measured.service;
    const loop = measured.bare;
    const ratio = computeMedian(service.values) / computeMedian(loop.values);
    const steps = readSteps(stack.output().slice(logStart));
    return [
      makeRow(name, "service", "jobs/s", service.values, cpuOf(service.cpu)),
      makeRow(name, bare.description, "runs/s", loop.values, cpuOf(loop.cpu)),
      makeRow(name, "service ÷ bare", "×", ratio, { target: { min: minRatio } }),
      // The kernel does not count what ends in a sandbox for its parent, but for the machine.
      ...[["the machine", busy] as const, ...used].map(([program, cpuSeconds]) =>
        makeRow(`CPU time per job: ${program}`, operation, "ms", (1000 * cpuSeconds) / jobs),
      ),
      ...[...steps].map(([step, times]) => makeRow(`step: ${step}`, operation, "ms", times)),
    ];
  } finally {
    await bare.close();
  }
}

const cpuOf = (cpu: number | undefined) => (cpu === undefined ? {} : { cpu });
const sumOf = (times: ReadonlyMap<string, number>) =>
  [...times.values()].reduce((sum, value) => sum + value, 0);

interface StepsLine {
  readonly steps?: Readonly<Record<string, number>>;
}

/** The times of each step of the jobs that were logged in `output`, in milliseconds. */
function readSteps(output: string): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const line of output.split("\n").filter((text) => text.includes('"steps":'))) {
    const { steps = {} } = JSON.parse(line) as StepsLine;
    for (const [name, ms] of Object.entries(steps)) {
      times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  return times;
}

/** The settings of the operation. */
const overlayEncoder = [
  "-c:v",
  "libx264",
  "-preset",
  "veryfast",
  "-crf",
  "18",
  "-pix_fmt",
  "yuv420p",
];

/** Text over 30 seconds of 1080p, and ffmpeg with the same encoder and an image of about that size. */
async function measureOverlay(
  video: string,
  folder: string,
  stack: Stack,
  generator: LoadGenerator,
): Promise<BenchRow[]> {
  const fields = { text: "Hello, world", x: "20", y: "20", fontsize: "32" };
  const file = { name: "video.mp4", bytes: await readFile(video) };
  const plan = uploadAndWait(stack, "video/overlay-text", file, fields);
  const image = join(folder, "text.png");
  await run("ffmpeg", [
    "-v",
    "error",
    "-f",
    "lavfi",
    "-i",
    "color=white@0.5:s=200x40,format=rgba",
    "-frames:v",
    "1",
    image,
  ]);
  const measured = await measureInTurns(
    {
      // The generator's time: handing the video over to it takes as long as half a second.
      service: async () => {
        const { latenciesMs } = await generator.send({ ...plan, clients: 1, requests: 1 });
        return { value: latenciesMs[0] ?? Number.NaN };
      },
      bare: () =>
        timed(() =>
          run("ffmpeg", [
            "-v",
            "error",
            "-y",
            "-i",
            video,
            "-i",
            image,
            "-filter_complex",
            "[0:v][1:v]overlay=20:20",
            ...overlayEncoder,
            join(folder, "overlaid.mp4"),
          ]),
        ),
    },
    { rounds, warmUps: 1 },
  );
  const name = "video/overlay-text, 30 s of 1080p";
  const bareMs = computeMedian(measured.bare.values);
  const target = { max: Math.round(1.05 * bareMs + 200) };
  return [
    makeRow(name, "service", "ms", measured.service.values, { target }),
    makeRow(name, "ffmpeg with the same settings", "ms", measured.bare.values),
  ];
}
