import { copyFile, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { Chromium, printDocument } from "#lib/engines/chromium/chromium.ts";
import { applyFilters } from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { closeEngines } from "#lib/engines/index.ts";
import { convertToPdf } from "#lib/engines/libreoffice/libreoffice.ts";
import { LibreOfficeProcess } from "#lib/engines/libreoffice/process.ts";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { planChanges } from "#lib/engines/pdf/worker-functions.ts";
import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import { failureMessages, translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { runEngine } from "#lib/engines/sandbox/run-engine.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import type { WorkerMessage } from "#lib/engines/worker/message.ts";
import { WorkerProcess } from "#lib/engines/worker/process.ts";
import { JobError } from "#lib/errors.ts";
import { classifyFailure } from "#lib/jobs/run/failures.ts";
import { widestLimits } from "#lib/limits/limits.ts";
import { mediaType } from "#lib/media/types.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import {
  killOwnProcesses,
  killOwnProcessesUntil,
  waitForBusyPage,
} from "#tests/hostile/engine-processes.ts";
import { findMessageProblem } from "#tests/hostile/public-message.ts";
import { listFolder } from "#tests/hostile/watched-run.ts";
import { makeBlackPng } from "#tests/samples/images/image-bytes.ts";
import { sampleVideo } from "#tests/samples/videos.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

/** Each class of failure, caused by an engine that really fails in that way. */

afterAll(closeEngines);

const never = new AbortController().signal;
const megabyte = 2 ** 20;

/** The error with which `failing` rejects. */
async function failureOf(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => error,
  );
}

/** Checks that `failure` has the public message of its class, and its details in the cause. */
function expectClass(failure: unknown, code: keyof typeof failureMessages): void {
  const error = translateEngineError(failure);
  expect(error).toBeInstanceOf(JobError);
  expect(error).toMatchObject({ code, message: failureMessages[code] });
  expect(findMessageProblem(failureMessages[code])).toBeUndefined();
  expect((error as JobError).cause).toBeInstanceOf(Error);
}

/** The slot folders of `engine` that contain files of a job. */
function busySlots(engine: string): string[] {
  const slots = listFolder(processPath("slots")).filter((name) => name.startsWith(`${engine}-`));
  // A slot whose process is being started or replaced has no folder yet, or no longer.
  return slots.filter((name) => listFolder(processPath("slots", name, "in")).length > 0);
}

async function killBusy(engine: string): Promise<void> {
  while (busySlots(engine).length === 0) await wait(5);
  for (const slot of busySlots(engine)) await killOwnProcesses(slot);
}

async function sharpenLarge(): Promise<unknown> {
  const path = temporaryWorkFolder().scratch("png").path;
  await writeFile(path, makeBlackPng({ width: 5000, height: 5000 }));
  return runOperation(sharpen, { path, type: "png" });
}

async function convert(text: string): Promise<unknown> {
  const work = temporaryWorkFolder();
  const file = work.input("rtf");
  const output = work.output("pdf");
  await writeFile(file.path, `{\\rtf1 ${text}}`);
  const input = { ...file, type: mediaType("rtf") };
  return convertToPdf({ input, output, work, pages: "", signal: never });
}

const page = (html: string) => ({
  document: { url: "http://upload.invalid/", body: Buffer.from(html), contentType: "text/html" },
  paper: { width: 8, height: 11, margins: { top: 0, right: 0, bottom: 0, left: 0 } },
  options: {},
  output: temporaryWorkFolder().output("pdf").path,
  network: noNetwork,
  signal: never,
});

/** Takes long, because `nlmeans` is slow. */
async function denoise(
  work: WorkFolder,
  filter: string,
  options: { stallMs?: number } = {},
): Promise<unknown> {
  const file = work.input("mp4");
  const output = work.output("mkv");
  await copyFile(sampleVideo(), file.path);
  return runFfmpeg({
    work,
    signal: never,
    ...options,
    inputs: [{ file }],
    outputs: [{ file: output, args: applyFilters("v", 0, [filter, "nlmeans=r=15"]) }],
  });
}

describe("an engine that is killed during a job fails as engine_crashed", () => {
  it("a worker", async () => {
    const [failure] = await Promise.all([failureOf(sharpenLarge()), killBusy("image")]);
    expectClass(failure, "engine_crashed");
    expect(await sharpenLarge()).toBeDefined();
  });

  it("LibreOffice", async () => {
    const long = "word ".repeat(1_000_000);
    const [failure] = await Promise.all([failureOf(convert(long)), killBusy("libreoffice")]);
    expectClass(failure, "engine_crashed");
    await convert("next");
  });

  it("Chromium", async () => {
    await printDocument(page("<p>warm</p>"));
    const failing = failureOf(printDocument(page("<script>for (;;);</script>")));
    await waitForBusyPage();
    // Not by its folder, which is elsewhere if the path of the slots is too long for a socket.
    await killOwnProcesses("--remote-debugging-pipe");
    expectClass(await failing, "engine_crashed");
    await printDocument(page("<p>next</p>"));
  });

  it("ffmpeg", async () => {
    const work = temporaryWorkFolder();
    const failing = failureOf(denoise(work, "scale=1920:1080"));
    await killOwnProcessesUntil(work.root, failing);
    expectClass(await failing, "engine_crashed");
  });
});

describe("an engine that exceeds its memory limit fails as out_of_memory", () => {
  it("a worker", async () => {
    const worker = await WorkerProcess.start({ memoryBytes: 250 * megabyte });
    const file = temporaryWorkFolder().input("json");
    const numbers = `${"1,".repeat(10_000_000)}1`;
    await writeFile(file.path, `{"qpdf":[{},{"obj:1 0 R":{"value":[${numbers}]}}]}`);
    const { module, index } = planChanges;
    const message: WorkerMessage = {
      module,
      index,
      files: [await worker.slot.linkIn(file)],
      options: undefined,
      limits: widestLimits,
      threads: 1,
    };
    const failure = await failureOf(worker.request(message, { timeoutMs: 60_000, signal: never }));
    expect(failure).toMatchObject({ name: "EngineError", outOfMemory: true });
    expectClass(failure, "out_of_memory");
    expect(worker.healthy).toBe(false);
    await worker.close();
  });

  it("LibreOffice", async () => {
    const office = await LibreOfficeProcess.start({ memoryBytes: 250 * megabyte });
    const file = temporaryWorkFolder().input("txt");
    await writeFile(file.path, "word\n".repeat(4_000_000));
    const message = {
      input: await office.slot.linkIn(file),
      output: "out/out-0.pdf",
      pages: "",
      table: false,
      filter: "Text (encoded)",
      options: "UTF8,LF",
      export: "writer_pdf_Export",
    };
    const failure = await failureOf(office.request(message, { timeoutMs: 60_000, signal: never }));
    expectClass(failure, "out_of_memory");
    await office.close();
  });

  it("Chromium", async () => {
    const chromium = new Chromium({ size: 1, memoryBytes: 400 * megabyte });
    const script = "const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))";
    expectClass(
      await failureOf(chromium.print(page(`<script>${script}</script>`))),
      "out_of_memory",
    );
    await chromium.print(page("<p>next</p>"));
    await chromium.close();
  });

  it("ffmpeg", async () => {
    const frames = ["-f", "lavfi", "-i", "color=size=7680x4320:duration=9", "-vf", "reverse"];
    const failing = runEngine({
      engine: "ffmpeg",
      command: "ffmpeg",
      args: ["-nostdin", "-v", "error", ...frames, "-f", "null", "-"],
      ...temporaryWorkFolder().view,
      limits: { memoryBytes: 300 * megabyte },
    });
    expectClass(await failureOf(failing), "out_of_memory");
  });
});

describe("a job fails", () => {
  it("as corrupt if the file is damaged", async () => {
    const work = temporaryWorkFolder();
    const file = work.input("pdf");
    await writeFile(file.path, "%PDF-1.7\ngarbage");
    const failure = await failureOf(readPdfInfo(file, work, never));
    expect(failure).toMatchObject({ code: "corrupt", cause: expect.any(EngineError) });
    const image = work.input("png");
    await writeFile(image.path, "garbage");
    expect(await failureOf(readImageInfo(image, work, never))).toMatchObject({ code: "corrupt" });
  });

  it("as timed_out if an engine takes too long", async () => {
    const failing = denoise(temporaryWorkFolder(), "reverse", { stallMs: 100 });
    expectClass(await failureOf(failing), "timed_out");
  });
});

it.each([
  ["a crash", "engine_crashed"],
  ["an out-of-memory failure", "out_of_memory"],
] as const)("%s is retried once, then the job fails", (_, code) => {
  const failure = new JobError(code, failureMessages[code]);
  expect(classifyFailure(failure, { attempts: 1, createdAt: new Date() })).toMatchObject({
    kind: "retry",
  });
  expect(classifyFailure(failure, { attempts: 2, createdAt: new Date() })).toEqual({
    kind: "fail",
    code,
    message: failureMessages[code],
  });
});

it.each(["timed_out", "corrupt", "too_large"] as const)("%s is not retried", (code) => {
  expect(
    classifyFailure(new JobError(code, failureMessages[code]), {
      attempts: 1,
      createdAt: new Date(),
    }),
  ).toMatchObject({ code });
});
