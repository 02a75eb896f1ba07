import { readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { normalizeToPng, readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import { readHeader } from "#lib/engines/worker/image/worker-functions.ts";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import { WorkerProcess } from "#lib/engines/worker/process.ts";
import type { WorkerFunction } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { runOperations } from "#lib/operations/worker-functions.ts";
import { makeBlackPng } from "#tests/samples/images/image-bytes.ts";
import { makeTestFrames, makeTestImage } from "#tests/samples/images/images.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const isolated = (await currentSandbox()).level !== "off";

afterAll(closeWorkerPool);

const idle = new AbortController().signal;

async function putFile(bytes: Uint8Array | string, extension: string) {
  const work = temporaryWorkFolder();
  const file = work.input(extension);
  await writeFile(file.path, bytes);
  return { work, file };
}

const workerSlots = async () =>
  (await readdir(processPath("slots"))).filter((name) => name.startsWith("image-"));

describe("readImageInfo", () => {
  const rows = [
    [
      "png",
      () => makeTestImage({ channels: 4 }).png(),
      { format: "png", hasAlpha: true, channels: 4, pages: 1 },
    ],
    ["png", () => makeTestImage({ bits: 16 }).png(), { depth: "ushort", space: "rgb16" }],
    [
      "jpg",
      () => makeTestImage().withMetadata({ orientation: 6, density: 300 }).jpeg(),
      { orientation: 6, density: 300 },
    ],
    [
      "jpg",
      () => makeTestImage().withIccProfile("cmyk").jpeg(),
      { space: "cmyk", hasProfile: true },
    ],
    ["avif", () => makeTestImage().avif({ effort: 0 }), { format: "avif" }],
    ["tiff", () => makeTestImage().tiff(), { format: "tiff", pages: 1 }],
  ] as const;
  test.each(rows)("%s %#", async (extension, paint, facts) => {
    const { work, file } = await putFile(await paint().toBuffer(), extension);
    const info = await readImageInfo(file, work, idle);
    expect(info).toMatchObject({ width: 240, height: 180, ...facts });
  });

  test("reads the frames, delays and loop count of an animation", async () => {
    const image = (await makeTestFrames(["red", "blue"])).gif({ delay: [70, 90], loop: 4 });
    const { work, file } = await putFile(await image.toBuffer(), "gif");
    const expected = { width: 120, height: 80, pages: 2, delay: [70, 90], loop: 4 };
    expect(await readImageInfo(file, work, idle)).toMatchObject(expected);
  });
});

describe("normalizeToPng", () => {
  test("rotates upright, scales to the width and adds alpha", async () => {
    const image = makeTestImage().withMetadata({ orientation: 6 }).jpeg();
    const { work, file } = await putFile(await image.toBuffer(), "jpg");
    const png = await normalizeToPng(file, work, idle, { width: 90 });
    expect(png).toMatchObject({ width: 90, height: 120 });
    expect(png.file.name).toBe("tmp/0.png");
    const facts = { format: "png", width: 90, height: 120, hasAlpha: true, space: "srgb" };
    expect(await sharp(png.file.path).metadata()).toMatchObject(facts);
  });

  test("renders SVG and does not load its references", async () => {
    const secret = await putFile(await makeTestImage().png().toBuffer(), "png");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20">
      <image xlink:href="file://${secret.file.path}" width="40" height="20"/>
      <image xlink:href="${secret.file.path}" width="40" height="20"/>
      <rect width="10" height="20" fill="#ff0000"/></svg>`;
    const { work, file } = await putFile(svg, "svg");
    const png = await normalizeToPng(file, work, idle);
    const pixels = await sharp(png.file.path).raw().toBuffer();
    expect([...pixels.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
    expect([...pixels.subarray(30 * 4, 31 * 4)]).toEqual([0, 0, 0, 0]);
  });

  test("rejects an SVG with exponentially expanding entities", async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const inner = level === 0 ? "lol" : `&e${level - 1};`.repeat(10);
      return `<!ENTITY e${level} "${inner}">`;
    });
    const svg = `<!DOCTYPE svg [${levels.join("")}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e11;</text></svg>`;
    const { work, file } = await putFile(svg, "svg");
    await expect(normalizeToPng(file, work, idle)).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("the pool", () => {
  test("completes more tasks than it has workers, each with its own result", async () => {
    const widths = Array.from({ length: 12 }, (_, index) => 20 + index);
    const results = widths.map(async (width) => {
      const { work, file } = await putFile(await makeTestImage({ width }).png().toBuffer(), "png");
      return (await readImageInfo(file, work, idle)).width;
    });
    expect(await Promise.all(results)).toEqual(widths);
  });

  test("stops an aborted task and completes the next one", async () => {
    const { work, file } = await putFile(makeBlackPng({ width: 8000, height: 8000 }), "png");
    const stop = new AbortController();
    const task = normalizeToPng(file, work, stop.signal, { width: 9000 });
    setTimeout(() => stop.abort(), 200);
    await expect(task).rejects.toMatchObject({ name: "EngineError", aborted: true });
    expect((await readImageInfo(file, work, idle)).width).toBe(8000);
  });

  test("keeps the worker of a task that was aborted before it started", async () => {
    const { work, file } = await putFile(await makeTestImage().png().toBuffer(), "png");
    await readImageInfo(file, work, idle);
    const before = await workerSlots();
    await expect(readImageInfo(file, work, AbortSignal.abort())).rejects.toMatchObject({
      aborted: true,
    });
    expect(await workerSlots()).toEqual(before);
  });

  test("empties the slot folder after a bad file", async () => {
    const { work, file } = await putFile("no image", "png");
    await expect(readImageInfo(file, work, idle)).rejects.toMatchObject({ code: "corrupt" });
    for (const slot of await workerSlots())
      expect(await readdir(processPath("slots", slot), { recursive: true })).toEqual(["in", "out"]);
  });

  test.runIf(isolated)("gives a worker access only to its input files", async () => {
    const { work, file } = await putFile(await makeTestImage().png().toBuffer(), "png");
    const input = { name: file.path, type: "png", bytes: 1, filename: "other.png" } as const;
    const flip = { id: "image/flip", params: {}, files: {}, isIntermediate: false };
    const task = callInWorker(runOperations, {
      options: { inputs: [input], operations: [flip] },
      work,
      signal: idle,
    });
    // A file that is not there, or at the level `strict` one that cannot be read.
    await expect(task).rejects.toBeInstanceOf(JobError);
  });

  test("rejects an invalid reply as a crash and replaces the worker", async () => {
    const { work, file } = await putFile(await makeTestImage().png().toBuffer(), "png");
    await readImageInfo(file, work, idle);
    const before = await workerSlots();
    const resultSchema = z.object({ width: z.string() });
    // @ts-expect-error: the result has another type than the schema.
    const wrong: WorkerFunction<unknown, { width: string }> = { ...readHeader, resultSchema };
    const task = callInWorker(wrong, {
      files: [file],
      work,
      signal: idle,
    });
    await expect(task).rejects.toMatchObject({
      code: "engine_crashed",
      cause: { invalidReply: true, timedOut: false },
    });
    await expect.poll(workerSlots).not.toEqual(before);
    expect((await readImageInfo(file, work, idle)).format).toBe("png");
  });

  test("removes its slot folders when it is closed, and starts again with the next task", async () => {
    const { work, file } = await putFile(await makeTestImage().png().toBuffer(), "png");
    await closeWorkerPool();
    await expect.poll(workerSlots).toEqual([]);
    expect((await readImageInfo(file, work, idle)).format).toBe("png");
  });
});

describe("an output of a worker", () => {
  let worker: WorkerProcess | undefined;
  afterEach(async () => worker?.close());

  test("is rejected if it is a link", async () => {
    const before = await workerSlots();
    worker = await WorkerProcess.start();
    const slot = (await workerSlots()).find((name) => !before.includes(name)) ?? "";
    const secret = await putFile("secret", "txt");
    await symlink(secret.file.path, processPath("slots", slot, "out", "out-0.txt"));
    const work = temporaryWorkFolder();
    const target: WorkFile = work.output("txt");
    await expect(worker.slot.moveOut("out/out-0.txt", target.path)).rejects.toThrow();
    expect(await readdir(join(work.root, "out"))).toEqual([]);
    await rm(target.path, { force: true });
  });
});
