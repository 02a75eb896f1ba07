import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { makeDocx } from "#tests/samples/office/word.ts";
import { sampleVideo } from "#tests/samples/videos.ts";
import { type BenchRow, makeRow, measureInTurns, percentile, timed } from "./report/rows.ts";

export type EngineJob = "image" | "page" | "office" | "tags" | "probe";

export interface EngineRequest {
  readonly job: EngineJob;
  readonly path: string;
  readonly type: MediaTypeId;
}

/** What the sandbox may add to the median of a warm engine. */
const allowedMs = 5;

async function startSide(SANDBOX: SandboxLevel): Promise<ChildProcess> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "mediamill-side-"));
  const child = fork(join(import.meta.dirname, "engines/engine-jobs.ts"), {
    env: { ...process.env, SANDBOX, DATA_DIR, LOG_LEVEL: "warn", MEDIA_CONCURRENCY: "1" },
  });
  await once(child, "message");
  return child;
}

async function runJob(side: ChildProcess, request: EngineRequest): Promise<void> {
  side.send(request);
  await once(side, "message");
}

interface SandboxCase {
  readonly name: string;
  readonly warm: boolean;
  readonly rounds: number;
  readonly request: EngineRequest;
}

async function makeCases(folder: string): Promise<readonly SandboxCase[]> {
  const path = (name: string) => join(folder, name);
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const image = { width: 320, height: 200, channels: 3, background: "#888", noise } as const;
  await sharp({ create: image }).png().toFile(path("image.png"));
  await writeFile(path("page.html"), "<!doctype html><h1>One page</h1><p>of text</p>");
  await writeFile(path("document.docx"), makeDocx(["Dear reader,", "this is a document."]));
  await sharp({ create: image }).jpeg().toFile(path("photo.jpg"));
  await copyFile(sampleVideo(), path("video.mp4"));
  return [
    {
      name: "sharpen a 320×200 PNG",
      warm: true,
      rounds: 100,
      request: { job: "image", path: path("image.png"), type: "png" },
    },
    {
      name: "print a page",
      warm: true,
      rounds: 60,
      request: { job: "page", path: path("page.html"), type: "html" },
    },
    {
      name: "convert a document",
      warm: true,
      rounds: 40,
      request: { job: "office", path: path("document.docx"), type: "docx" },
    },
    {
      name: "read a photo's tags",
      warm: true,
      rounds: 100,
      request: { job: "tags", path: path("photo.jpg"), type: "jpeg" },
    },
    {
      name: "probe a video (one process per job)",
      warm: false,
      rounds: 30,
      request: { job: "probe", path: path("video.mp4"), type: "mp4" },
    },
  ];
}

/**
 * Cost of the sandbox: runs a small job of each engine in turns in a process of each level. The job with one
 * process per job shows what the start of an engine costs.
 */
export default {
  title: "sandbox",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-sandbox-"));
    const cases = await makeCases(folder);
    const full = await startSide("full");
    const strict = await startSide("strict");
    const bare = await startSide("off");
    try {
      const rows: BenchRow[] = [];
      for (const { name, warm, rounds, request } of cases) {
        const sides = await measureInTurns(
          {
            full: () => timed(() => runJob(full, request)),
            strict: () => timed(() => runJob(strict, request)),
            bare: () => timed(() => runJob(bare, request)),
          },
          { rounds },
        );
        rows.push(makeRow(name, "off", "ms", sides.bare.values));
        for (const level of ["full", "strict"] as const) {
          const { values } = sides[level];
          const added = percentile(values, 0.5) - percentile(sides.bare.values, 0.5);
          const target = warm ? { target: { max: allowedMs } } : {};
          rows.push(makeRow(name, level, "ms", values));
          rows.push(makeRow(name, `${level}, added`, "ms", added, target));
        }
      }
      return rows;
    } finally {
      for (const side of [full, strict, bare]) {
        side.send("stop");
        await once(side, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    }
  },
};
