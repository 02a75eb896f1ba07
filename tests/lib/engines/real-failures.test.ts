import { mkdirSync, readdirSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { Chromium, printDocument } from "#lib/engines/chromium/chromium.ts";
import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { closeEngines } from "#lib/engines/index.ts";
import { convertToPdf } from "#lib/engines/libreoffice/libreoffice.ts";
import { LibreOfficeWorker } from "#lib/engines/libreoffice/process.ts";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { EngineError } from "#lib/engines/sandbox/errors.ts";
import { explainEngineFailure, failureSentences } from "#lib/engines/sandbox/failures.ts";
import { runEngine } from "#lib/engines/sandbox/process.ts";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { readImageInfo } from "#lib/engines/worker/image-info.ts";
import { ImageWorker } from "#lib/engines/worker/process.ts";
import { JobError } from "#lib/errors.ts";
import { judgeFailure } from "#lib/jobs/run/failures.ts";
import { mediaType } from "#lib/media/types.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import { killNaming } from "#tests/hostile/engine-processes.ts";
import { complainOfSentence } from "#tests/hostile/plain-message.ts";
import { blackPng } from "#tests/samples/image-bytes.ts";
import { film } from "#tests/samples/videos.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

/** Each class of failure, by an engine that really fails so. */

afterAll(closeEngines);

const never = new AbortController().signal;
const megabyte = 2 ** 20;

/** What `failing` rejects with. */
async function failureOf(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => error,
  );
}

/** Holds that a failure is of its class, in a plain sentence, with the detail in its cause. */
function expectClass(failure: unknown, code: keyof typeof failureSentences): void {
  const error = explainEngineFailure(failure);
  expect(error).toBeInstanceOf(JobError);
  expect(error).toMatchObject({ code, message: failureSentences[code] });
  expect(complainOfSentence(failureSentences[code])).toBeUndefined();
  expect((error as JobError).cause).toBeInstanceOf(Error);
}

/** The slots of `engine` that hold a job's files now. */
function busySlots(engine: string): string[] {
  mkdirSync(processPath("slots"), { recursive: true });
  const slots = readdirSync(processPath("slots")).filter((name) => name.startsWith(`${engine}-`));
  return slots.filter((name) => readdirSync(processPath("slots", name)).length > 0);
}

async function killBusy(engine: string): Promise<void> {
  while (busySlots(engine).length === 0) await wait(5);
  for (const slot of busySlots(engine)) await killNaming(slot);
}

async function sharpenLarge(): Promise<unknown> {
  const path = temporaryWorkFolder().scratch("png").path;
  await writeFile(path, blackPng({ width: 5000, height: 5000 }));
  return runOperation(sharpen, { path, type: "png" });
}

async function convert(text: string): Promise<unknown> {
  const work = temporaryWorkFolder();
  const [file, output] = [work.input("rtf"), work.output("pdf")];
  await writeFile(file.path, `{\\rtf1 ${text}}`);
  const input = { ...file, type: mediaType("rtf") };
  return convertToPdf({ input, output, work, pages: "", signal: never });
}

const page = (html: string) => ({
  document: { url: "http://upload.invalid/", body: Buffer.from(html), contentType: "text/html" },
  paper: { width: 8, height: 11, margins: { top: 0, right: 0, bottom: 0, left: 0 } },
  options: {},
  output: temporaryWorkFolder().output("pdf").path,
  signal: never,
});

async function filter(work: WorkFolder): Promise<unknown> {
  const [input, output] = [work.input("mp4"), work.output("mkv")];
  await copyFile(film(), input.path);
  return runFfmpeg({
    work,
    signal: never,
    build: (command) =>
      command
        .input(mediaPath(input))
        .videoFilters(["scale=1920:1080", "nlmeans=r=15"])
        .output(mediaPath(output)),
  });
}

describe("an engine that the system kills in the middle of a job has crashed", () => {
  it("an image worker", async () => {
    const [failure] = await Promise.all([failureOf(sharpenLarge()), killBusy("image")]);
    expectClass(failure, "engine_crashed");
    expect(await sharpenLarge()).toBeDefined();
  });

  it("an office", async () => {
    const long = "word ".repeat(1_000_000);
    const [failure] = await Promise.all([failureOf(convert(long)), killBusy("libreoffice")]);
    expectClass(failure, "engine_crashed");
    await convert("next");
  });

  it("a browser", async () => {
    await printDocument(page("<p>warm</p>"));
    const failing = failureOf(printDocument(page("<script>for (;;);</script>")));
    await wait(300);
    // This process's own browsers alone: others of the machine have the same program.
    await killNaming(processPath("slots", "chromium-"));
    expectClass(await failing, "engine_crashed");
    await printDocument(page("<p>next</p>"));
  });

  it("a film's engine", async () => {
    const work = temporaryWorkFolder();
    const [failure] = await Promise.all([failureOf(filter(work)), killNaming(work.root)]);
    expectClass(failure, "engine_crashed");
  });
});

describe("an engine that uses more memory than it may is out of memory", () => {
  it("an image worker", async () => {
    const worker = await ImageWorker.start({ memoryBytes: 250 * megabyte });
    const file = temporaryWorkFolder().input("json");
    const numbers = `${"1,".repeat(10_000_000)}1`;
    await writeFile(file.path, `{"qpdf":[{},{"obj:1 0 R":{"value":[${numbers}]}}]}`);
    const message = { task: "pdf-plan", file: await worker.slot.takeIn(file) };
    const failure = await failureOf(worker.request(message, { timeoutMs: 60_000, signal: never }));
    expect(failure).toMatchObject({ name: "EngineError", outOfMemory: true });
    expectClass(failure, "out_of_memory");
    expect(worker.healthy).toBe(false);
    await worker.close();
  });

  it("an office", async () => {
    const office = await LibreOfficeWorker.open({ memoryBytes: 250 * megabyte });
    const file = temporaryWorkFolder().input("txt");
    await writeFile(file.path, "word\n".repeat(4_000_000));
    const message = {
      ...{ input: await office.slot.takeIn(file), output: "out-0.pdf", pages: "", table: false },
      ...{ filter: "Text (encoded)", options: "UTF8,LF", export: "writer_pdf_Export" },
    };
    const failure = await failureOf(office.request(message, { timeoutMs: 60_000, signal: never }));
    expectClass(failure, "out_of_memory");
    await office.close();
  });

  it("a browser", async () => {
    const chromium = new Chromium({ size: 1, memoryBytes: 400 * megabyte });
    const script = "const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))";
    expectClass(
      await failureOf(chromium.print(page(`<script>${script}</script>`))),
      "out_of_memory",
    );
    await chromium.print(page("<p>next</p>"));
    await chromium.close();
  });

  it("a film's engine", async () => {
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
  it("as corrupt, where a file is", async () => {
    const work = temporaryWorkFolder();
    const file = work.input("pdf");
    await writeFile(file.path, "%PDF-1.7\ngarbage");
    const failure = await failureOf(readPdfInfo(file, work, never));
    expect(failure).toMatchObject({ code: "corrupt", cause: expect.any(EngineError) });
    const image = work.input("png");
    await writeFile(image.path, "garbage");
    expect(await failureOf(readImageInfo(image, work, never))).toMatchObject({ code: "corrupt" });
  });

  it("as timed out, where an engine takes too long", async () => {
    const work = temporaryWorkFolder();
    const [input, output] = [work.input("mp4"), work.output("mkv")];
    await copyFile(film(), input.path);
    const failing = runFfmpeg({
      ...{ work, signal: never, stallMs: 100 },
      build: (command) =>
        command
          .input(mediaPath(input))
          .videoFilters(["reverse", "nlmeans=r=15"])
          .output(mediaPath(output)),
    });
    expectClass(await failureOf(failing), "timed_out");
  });
});

it.each([
  ["a crash", "engine_crashed"],
  ["a want of memory", "out_of_memory"],
] as const)("%s is tried once more, and then told", (_, code) => {
  const failure = new JobError(code, failureSentences[code]);
  expect(judgeFailure(failure, { attempts: 1, createdAt: new Date() })).toMatchObject({
    kind: "retry",
  });
  expect(judgeFailure(failure, { attempts: 2, createdAt: new Date() })).toEqual({
    kind: "fail",
    code,
    sentence: failureSentences[code],
  });
});

it.each(["timed_out", "corrupt", "too_large"] as const)("%s is not tried again", (code) => {
  expect(
    judgeFailure(new JobError(code, failureSentences[code]), {
      attempts: 1,
      createdAt: new Date(),
    }),
  ).toMatchObject({ code });
});
