import { writeFile } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import { Chromium } from "#lib/engines/chromium/chromium.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { measurePeak } from "#tests/hostile/engine-processes.ts";
import { makeBlackPng } from "#tests/samples/images/image-bytes.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const megabyte = 10 ** 6;

/** The memory for small pages; a browser without a page uses about 150 MB. */
const memoryBytes = 400 * megabyte;

const chromium = new Chromium({ size: 2, memoryBytes });

afterAll(async () => {
  await chromium.close();
  await closeWorkerPool();
});

const never = new AbortController().signal;

async function print(html: string, work: WorkFolder): Promise<string> {
  const output = work.output("pdf");
  await chromium.print({
    document: {
      url: "http://upload.invalid/",
      body: Buffer.from(html),
      contentType: "text/html; charset=utf-8",
    },
    paper: { width: 8, height: 11, margins: { top: 0.4, right: 0.4, bottom: 0.4, left: 0.4 } },
    options: {},
    output: output.path,
    network: noNetwork,
    signal: never,
  });
  return readPdf(output.path).text;
}

async function makeImage(work: WorkFolder): Promise<WorkFile> {
  const file = work.input("png");
  await writeFile(file.path, makeBlackPng({ width: 100, height: 100 }));
  return file;
}

/** Allocates and writes 5 GB. */
const memoryHungryPage =
  "<script>const all = []; for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e8).fill(1))</script>";

it("a page that allocates 5 GB fails, the memory stays limited and other jobs are not affected", async () => {
  await chromium.warmUp();
  const work = temporaryWorkFolder();
  const image = await makeImage(work);
  await readImageInfo(image, work, never);
  let ended = false;
  let others = 0;
  const failing = expect(print(memoryHungryPage, work))
    .rejects.toMatchObject({
      name: "JobError",
      code: "out_of_memory",
      message: "This file needs more memory to process than a job may use.",
    })
    .finally(() => {
      ended = true;
    });
  const { peakBytes } = await measurePeak(async () => {
    while (!ended || others < 2) {
      expect(await print(`<p>page ${others}</p>`, work)).toBe(`page ${others}`);
      expect((await readImageInfo(image, work, never)).width).toBe(100);
      others++;
    }
  });
  await failing;
  // Without a kernel limit, monitoring notices the usage a quarter of a second late.
  expect(peakBytes).toBeLessThan(2 * memoryBytes + 300 * megabyte);
  expect(await print("<p>next</p>", work)).toBe("next");
});
