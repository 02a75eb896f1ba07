import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import sharp from "sharp";
import { makeDocx } from "#tests/samples/word.ts";
import { startStack } from "#tests/service/stack.ts";
import {
  type BareEngine,
  startBareChromium,
  startBareLibreOffice,
  startBareSharp,
} from "./bare-engines.ts";
import { computeMedian, printTable, writeResults } from "./measure.ts";
import { readCpuSeconds, subtractCpuSeconds } from "./process-times.ts";

/**
 * How busy the service keeps its engines: jobs per second with 8 clients against the bare engine in a
 * loop, in turns. Also prints the CPU time per job of each program and the time of each step of a job.
 * Arguments: words that select operations by their names.
 */

const clients = 8;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 6);

interface EngineCase {
  readonly operation: string;
  readonly file: string;
  readonly type: string;
  /** Undefined: only the rate of the service is measured. */
  readonly startBare?: () => Promise<BareEngine> | BareEngine;
  readonly fields?: Readonly<Record<string, string>>;
}

const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
const path = (name: string) => join(folder, name);
const noise = { type: "gaussian", mean: 128, sigma: 20 } as const;
const imageOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#888", noise } }).blur(2);
await imageOf(2040, 1360).jpeg({ quality: 90 }).toFile(path("large.jpg"));
await imageOf(640, 480).jpeg({ quality: 90 }).toFile(path("small.jpg"));
await writeFile(
  path("page.html"),
  `<!doctype html><h1>One page</h1>${"<p>of text</p>".repeat(12)}`,
);
const paragraph = "This is a paragraph of a letter that fills one line of the page or two. ".repeat(
  3,
);
await writeFile(path("letter.docx"), makeDocx(["Dear reader,", ...Array(8).fill(paragraph)]));

const cases: readonly EngineCase[] = [
  {
    operation: "document/html-to-pdf",
    file: "page.html",
    type: "text/html",
    startBare: () => startBareChromium(path("page.html")),
  },
  {
    operation: "document/doc-to-pdf",
    file: "letter.docx",
    type: "application/octet-stream",
    startBare: () => startBareLibreOffice(path("letter.docx"), folder),
  },
  {
    operation: "image/sharpen",
    file: "large.jpg",
    type: "image/jpeg",
    startBare: () => startBareSharp(path("large.jpg")),
  },
  { operation: "image/sharpen", file: "small.jpg", type: "image/jpeg" },
  { operation: "pipeline/file-inspect", file: "small.jpg", type: "image/jpeg" },
];

const words = process.argv.slice(2);
const selected = cases.filter(({ operation, file }) =>
  words.length === 0 ? true : words.some((word) => `${operation} ${file}`.includes(word)),
);
const stack = await startStack({ LOG_LEVEL: "debug" });

/** One job from request to its end. */
async function runJob({ operation, file, type, fields = {} }: EngineCase, bytes: Uint8Array) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new File([new Uint8Array(bytes)], basename(file), { type }));
  const response = await fetch(`${stack.url}/v1/${operation}`, {
    method: "POST",
    body: form,
    headers: { "x-api-key": stack.apiKey, prefer: "wait=60" },
  });
  const job = (await response.json()) as { status: string; error: string };
  if (job.status !== "completed") throw new Error(`${operation}: ${response.status} ${job.error}`);
}

/** Jobs per second of all clients together. */
async function runClients(one: EngineCase, forSeconds: number): Promise<number> {
  const bytes = await readFile(path(one.file));
  const startedAt = performance.now();
  const deadline = startedAt + forSeconds * 1000;
  let count = 0;
  const client = async () => {
    for (; performance.now() < deadline; count++) await runJob(one, bytes);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (count * 1000) / (performance.now() - startedAt);
}

interface StepsLine {
  readonly msg: string;
  readonly steps?: Readonly<Record<string, number>>;
}

/** The median time of each step of the jobs that were logged in `output`, in milliseconds. */
function readSteps(output: string): Record<string, number> {
  const times = new Map<string, number[]>();
  for (const line of output.split("\n").filter((text) => text.includes('"steps":'))) {
    const { steps = {} } = JSON.parse(line) as StepsLine;
    for (const [name, ms] of Object.entries(steps)) {
      times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  return Object.fromEntries([...times].map(([name, values]) => [name, computeMedian(values)]));
}

async function measure(one: EngineCase) {
  const bare = await one.startBare?.();
  const rates: { service: number[]; bare: number[] } = { service: [], bare: [] };
  const cpu = new Map<string, number>();
  let [jobs, bareCpu, bareRuns] = [0, 0, 0];
  await runClients(one, 2); // warms up, not measured
  const logStart = stack.output().length;
  try {
    for (let round = 0; round < rounds; round++) {
      const before = readCpuSeconds(stack.process.pid ?? 0);
      const rate = await runClients(one, seconds);
      const used = subtractCpuSeconds(readCpuSeconds(stack.process.pid ?? 0), before);
      for (const [name, value] of used) cpu.set(name, (cpu.get(name) ?? 0) + value);
      rates.service.push(rate);
      jobs += rate * seconds;
      if (!bare) continue;
      const ownBefore = sumOf(readCpuSeconds(bare.pid));
      const runs = await bare.run(seconds);
      bareCpu += sumOf(readCpuSeconds(bare.pid)) - ownBefore;
      bareRuns += runs;
      rates.bare.push(runs / seconds);
    }
  } finally {
    await bare?.close();
  }
  const perJob = [...cpu].map(([name, total]) => [name, round1((total / jobs) * 1000)] as const);
  const service = computeMedian(rates.service);
  const bareRate = bare && computeMedian(rates.bare);
  return {
    name: `${one.operation}, ${one.file}`,
    bare: bare?.description ?? "",
    servicePerSecond: service,
    barePerSecond: bareRate,
    ratio: bareRate && Math.round((service / bareRate) * 100) / 100,
    cpuMsPerJob: Object.fromEntries(perJob.sort(([, first], [, second]) => second - first)),
    bareCpuMs: bareRuns && round1((bareCpu / bareRuns) * 1000),
    stepMs: readSteps(stack.output().slice(logStart)),
  };
}

const sumOf = (times: ReadonlyMap<string, number>) =>
  [...times.values()].reduce((a, b) => a + b, 0);
const round1 = (value: number) => Math.round(value * 10) / 10;
const list = (values: Record<string, number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

try {
  const rows = [];
  for (const one of selected) {
    const row = await measure(one);
    rows.push(row);
    printTable([
      ["engines", "service/s", "bare/s", "ratio", "bare CPU ms"],
      [
        row.name,
        ...[row.servicePerSecond, row.barePerSecond, row.ratio, row.bareCpuMs].map(String),
      ],
    ]);
    process.stdout.write(`  CPU ms per job: ${list(row.cpuMsPerJob)}\n`);
    process.stdout.write(`  steps, median ms: ${list(row.stepMs)}\n\n`);
  }
  writeResults("engines", rows);
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
