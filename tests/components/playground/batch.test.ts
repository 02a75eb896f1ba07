import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { folderCommand } from "#components/code/snippets.ts";
import { type ItemState, totalsOf } from "#components/playground/batch/batch.ts";
import { batchConcurrency, runBatch, type Sent } from "#components/playground/batch/run-batch.ts";
import { readSent } from "#components/playground/batch/send-item.ts";
import { takeFiles } from "#components/playground/batch/take-files.ts";
import { readDropped } from "#components/playground/form/dropped-files.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

type Answer = Sent | "hang";

/** Runs a batch whose service gives each file these answers, one after the other. */
async function run(answers: readonly Answer[][], { status = "completed", abortAt = -1 } = {}) {
  const states: ItemState[] = [];
  const asked = answers.map(() => 0);
  const pauses: string[] = [];
  const controller = new AbortController();
  let open = 0;
  let mostOpen = 0;
  const details = (jobId: string) =>
    ({
      job: { id: jobId, status: jobId === "job_bad" ? "failed" : status, outputs: [] },
    }) as unknown as JobDetails;
  await runBatch(
    answers.map((_, index) => index),
    {
      async send(index, signal) {
        mostOpen = Math.max(mostOpen, ++open);
        await Promise.resolve();
        const count = asked[index] ?? 0;
        asked[index] = count + 1;
        const answer = answers[index]?.[count];
        if (index === abortAt) controller.abort();
        if (answer === "hang") {
          if (!signal.aborted) {
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
          }
          return { kind: "lost" };
        }
        if (answer?.kind !== "accepted") open--;
        return answer ?? { kind: "lost" };
      },
      async follow(jobId, signal) {
        await Promise.resolve();
        open--;
        return signal.aborted ? undefined : details(jobId);
      },
      onState: (index, state) => {
        states[index] = state;
      },
      onPause: (pause) => pause && pauses.push(`${pause.message} ${pause.seconds}`),
      sleep: () => Promise.resolve(),
      explain: () => ({ message: "bad", isFinal: true }),
    },
    controller.signal,
  );
  return { states, asked, pauses, mostOpen };
}

const accepted: Sent = { kind: "accepted", jobId: "job_1" };

describe("a batch", () => {
  it("runs all files, a few at a time, and a failure stops no other", async () => {
    const answers: Answer[][] = Array.from({ length: 30 }, () => [accepted]);
    answers[3] = [{ kind: "rejected", error: { message: "no", isFinal: true } }];
    answers[7] = [{ kind: "accepted", jobId: "job_bad" }];
    const { states, mostOpen } = await run(answers);
    expect(mostOpen).toBe(batchConcurrency);
    const items = states.map((state, index) => ({
      index,
      path: "",
      file: new File(["ab"], "a"),
      state,
    }));
    expect(totalsOf(items)).toMatchObject({
      files: 30,
      done: 28,
      failed: 2,
      open: 0,
      bytesBefore: 56,
    });
    expect(states[7]).toMatchObject({ kind: "failed", jobId: "job_bad" });
  });

  it("waits when the service says so, for all files together, and loses none", async () => {
    const wait: Sent = { kind: "wait", seconds: 52, message: "Your plan allows 10." };
    const { states, pauses, asked } = await run([[wait, accepted], [wait, accepted], [accepted]]);
    expect(states.map(({ kind }) => kind)).toEqual(["done", "done", "done"]);
    expect(asked).toEqual([2, 2, 1]);
    expect(pauses).toEqual(["Your plan allows 10. 52"]);
  });

  it("tries again after a lost connection, and gives up at last", async () => {
    const lost: Sent = { kind: "lost" };
    const { states, asked } = await run([[lost, lost, accepted], Array(9).fill(lost)]);
    expect(states[0]).toMatchObject({ kind: "done" });
    expect(states[1]).toMatchObject({ kind: "failed", error: { isFinal: false } });
    expect(asked).toEqual([3, 6]);
  });

  it("sends nothing more when no file would be accepted", async () => {
    const stop: Sent = { kind: "stop", message: "The plan's data is used." };
    const answers: Answer[][] = [[stop], ...Array.from({ length: 20 }, () => [accepted])];
    const { states, asked } = await run(answers);
    expect(states.every(({ kind }) => kind === "done" || kind === "failed")).toBe(true);
    expect(asked.filter((count) => count > 0).length).toBeLessThanOrEqual(batchConcurrency);
    expect(states.at(-1)).toMatchObject({ error: { message: "The plan's data is used." } });
  });

  it("cancels what runs and what waits", async () => {
    const answers: Answer[][] = Array.from({ length: 10 }, () => ["hang"]);
    const { states } = await run(answers, { abortAt: 3 });
    expect(new Set(states.map(({ kind }) => kind))).toEqual(new Set(["cancelled"]));
    expect(states).toHaveLength(10);
  });
});

it.each([
  [429, "rate_limited", "Retry-After: 52\r\n", { kind: "wait", seconds: 52 }],
  [429, "usage_limit_reached", "", { kind: "stop" }],
  [503, "unavailable", "retry-after: 5\r\n", { kind: "wait", seconds: 5 }],
  [409, "conflict", "Retry-After: 1\r\n", { kind: "wait", seconds: 1 }],
  [409, "conflict", "", { kind: "rejected", error: { isFinal: true } }],
  [401, "unauthorized", "", { kind: "stop" }],
  [400, "invalid_parameter", "", { kind: "rejected", error: { isFinal: true } }],
  [500, "internal", "", { kind: "rejected", error: { isFinal: false } }],
])("a response with status %d and code %s", (status, code, headers, expected) => {
  const response = { status, headers, body: {} };
  expect(readSent({ kind: "rejected", message: "no", code, response })).toMatchObject(expected);
});

it("reads dropped folders, more than a reader gives at once, without hidden files", async () => {
  const fileEntry = (path: string) => ({
    isFile: true,
    isDirectory: false,
    name: path.split("/").at(-1),
    fullPath: `/${path}`,
    file: (resolve: (file: File) => void) => resolve(new File(["x"], path.split("/").at(-1) ?? "")),
  });
  const children = [".DS_Store", ...Array.from({ length: 150 }, (_, index) => `a${index}.jpg`)];
  const batches = [children.slice(0, 100), children.slice(100), []];
  const folder = {
    isFile: false,
    isDirectory: true,
    name: "photos",
    createReader: () => ({
      readEntries: (resolve: (entries: unknown[]) => void) =>
        resolve((batches.shift() ?? []).map((name) => fileEntry(`photos/${name}`))),
    }),
  };
  const item = { kind: "file", webkitGetAsEntry: () => folder as unknown as FileSystemEntry };
  const found = await readDropped({ files: [] as unknown as FileList, items: [item] });
  expect(found).toHaveLength(150);
  expect(found.slice(0, 3).map(({ path }) => path)).toEqual([
    "photos/a0.jpg",
    "photos/a1.jpg",
    "photos/a2.jpg",
  ]);
});

describe("a dropped ZIP", () => {
  const zip = async (write: (zip: ZipFile) => void) => {
    const archive = new ZipFile();
    write(archive);
    archive.end();
    return new File([await buffer(archive.outputStream)], "all.zip");
  };
  const dropped = (file: File) => [{ path: file.name, file }];

  it("is unpacked, packed and stored files alike, with their folders", async () => {
    const archive = await zip((one) => {
      one.addBuffer(Buffer.from("a".repeat(5000)), "sub/a.txt");
      one.addBuffer(Buffer.from("b"), "b.txt", { compress: false });
      one.addBuffer(Buffer.from("x"), "__MACOSX/._b.txt");
    });
    const taken = await takeFiles(dropped(archive), false);
    if (taken.kind !== "many") throw new Error(taken.kind);
    const read = taken.files.map(async ({ path, file }) => [
      path,
      file.name,
      (await file.text()).length,
    ]);
    expect(await Promise.all(read)).toEqual([
      ["sub/a.txt", "a.txt", 5000],
      ["b.txt", "b.txt", 1],
    ]);
  });

  it("is a file as any other for an operation that takes archives", async () => {
    const archive = await zip((one) => one.addBuffer(Buffer.from("a"), "a.txt"));
    expect(await takeFiles(dropped(archive), true)).toEqual({ kind: "one", file: archive });
  });

  it("that is damaged, or says too little about its size, is rejected with its name", async () => {
    const archive = await zip((one) => one.addBuffer(Buffer.alloc(100_000), "a.txt"));
    const bytes = Buffer.from(await archive.arrayBuffer());
    // The size in the directory, which ends 22 bytes before the end.
    const at = bytes.lastIndexOf(Buffer.from("PK\x01\x02", "latin1"));
    bytes.writeUInt32LE(10, at + 24);
    const bad = await takeFiles(dropped(new File([bytes], "all.zip")), false);
    expect(bad).toEqual({ kind: "rejected", message: "a.txt in all.zip is damaged." });
    const none = await takeFiles(dropped(new File(["text"], "all.zip")), false);
    expect(none).toMatchObject({ kind: "rejected", message: expect.stringContaining("not a ZIP") });
  });
});

it("writes the same run as one command for a folder", () => {
  const baseUrl = "https://media.example.com";
  const input = { file: "input" };
  const resize = { operation: "image/resize", params: { width: 800 }, input, baseUrl };
  expect(folderCommand(resize)).toBe(
    "mediamill run image/resize ./in --out ./out --width 800 --watch",
  );
  const operations = [{ type: "image/resize", params: { width: 8 } }, { type: "image/flip" }];
  expect(folderCommand({ operation: "chain", params: { operations }, input, baseUrl })).toBe(
    "mediamill chain ./in --out ./out --watch --then image/resize --width 8 --then image/flip",
  );
});
