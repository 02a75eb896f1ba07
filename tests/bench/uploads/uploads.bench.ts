import { createHash, randomFillSync } from "node:crypto";
import { openAsBlob, readFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { onOrigin, startByteCutter } from "#tests/servers/byte-cutter.ts";
import { startS3Server } from "#tests/servers/storage/s3.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { residentBytes } from "#tests/service/http/large-upload.ts";
import { createUpload, type Multipart, sha256OfUpload } from "#tests/service/http/uploads.ts";
import { type Stack, startStack } from "#tests/service/stack.ts";
import { type BenchRow, makeRow } from "../report/rows.ts";

const bytes = 2_000_000_000;
const cuts = 10;

/** The most that the web process may grow by an upload, in megabytes. */
const memoryTarget = { target: { max: 60 } };

/** A file without repetition on the disk, and its SHA-256. */
async function makeFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "w");
  const block = Buffer.alloc(1_000_000);
  for (let written = 0; written < bytes; written += block.length) {
    randomFillSync(block);
    hash.update(block);
    await file.write(block);
  }
  await file.close();
  return hash.digest("hex");
}

interface Measured {
  readonly seconds: number;
  /** How much the web process grew at most, in megabytes; also the one that was started again. */
  readonly grownMegabytes: number;
}

async function measure(stack: Stack, send: () => Promise<unknown>): Promise<Measured> {
  const idle = residentBytes(stack.dataDir, "web");
  let peak = idle;
  const timer = setInterval(() => {
    try {
      peak = Math.max(peak, residentBytes(stack.dataDir, "web"));
    } catch {
      // It is being started again.
    }
  }, 50);
  const startedAt = performance.now();
  try {
    await send();
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, grownMegabytes: (peak - idle) / 1e6 };
}

/** Sends the file through a proxy that cuts ten connections; in the middle, the web process is killed. */
async function withCuts<Result>(
  stack: Stack,
  afterBytes: number,
  work: (send: typeof fetch) => Promise<Result>,
): Promise<Result> {
  const cutter = await startByteCutter(stack.url, {
    cuts,
    afterBytes,
    onCut: (count) => {
      const pid = readFileSync(join(stack.dataDir, "run/web.pid"), "utf8");
      if (count === cuts / 2) process.kill(Number(pid), "SIGKILL");
    },
  });
  try {
    const result = await work((url, init) => {
      const { href, origin } = new URL(String(url));
      return fetch(origin === stack.url ? onOrigin(href, cutter.url) : href, init);
    });
    if (cutter.cuts !== cuts) throw new Error(`only ${cutter.cuts} connections were cut`);
    return result;
  } finally {
    cutter.close();
  }
}

/** Sends all parts, three at a time, each until it has arrived. */
async function sendParts(path: string, client: ApiClient, send: typeof fetch): Promise<string> {
  const blob = await openAsBlob(path);
  const upload = await createUpload<Multipart>(client, { bytes, method: "multipart" });
  const persist = async (url: string, init: RequestInit) => {
    const isSent = () =>
      send(url, init).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isSent())) await wait(200);
  };
  const queue = upload.parts.values();
  const work = async () => {
    for (const { number, url } of queue) {
      const body = blob.slice((number - 1) * upload.part_bytes, number * upload.part_bytes);
      await persist(url, { method: "PUT", body });
    }
  };
  await Promise.all([work(), work(), work()]);
  await persist(upload.complete_url, { method: "POST" });
  return upload.id;
}

/** 2 GB by tus and in parts with ten cuts and a killed web process, and how much memory the web process takes. */
export default {
  title: "uploads",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
    const path = join(folder, "video.bin");
    const sha256 = await makeFile(path);
    const rows: BenchRow[] = [];
    const report = (name: string, { seconds, grownMegabytes }: Measured) => {
      rows.push(makeRow(`2 GB ${name}`, "service", "s", seconds));
      rows.push(
        makeRow(
          `2 GB ${name}: growth of the web process`,
          "service",
          "MB",
          grownMegabytes,
          memoryTarget,
        ),
      );
    };
    for (const storage of ["local", "s3"] as const) {
      const store = storage === "s3" ? await startS3Server() : undefined;
      const stack = await startStack({ LOG_LEVEL: "warn", ...store?.variables });
      const client = new ApiClient(stack.url, stack.apiKey);
      const requireSame = async (id: string) => {
        const found = await sha256OfUpload(client, id);
        if (found !== sha256) throw new Error(`${storage}: the file has another hash: ${found}`);
      };
      const sendWith = (send: typeof fetch) =>
        new Mediamill({ apiKey: stack.apiKey, baseUrl: stack.url, fetch: send }).uploads.create(
          path,
        );
      try {
        // The first requests load what the web process keeps.
        await client.run("pipeline/file-inspect", { filename: "a.txt", bytes: "text" });
        await wait(5000);
        let id = "";
        const name = storage === "s3" ? "in parts to S3" : "by tus";
        const whole = await measure(stack, async () => ({ id } = await sendWith(fetch)));
        report(name, whole);
        await requireSame(id);
        if (storage === "s3") continue;
        const cut = await measure(stack, () =>
          withCuts(stack, bytes / 12, async (send) => ({ id } = await sendWith(send))),
        );
        report("by tus with ten cuts and a killed web process", cut);
        await requireSame(id);
        const parts = await measure(stack, () =>
          withCuts(stack, 5_000_000, async (send) => {
            id = await sendParts(path, client, send);
          }),
        );
        report("in parts with ten cuts and a killed web process", parts);
        await requireSame(id);
      } finally {
        await stack.stop();
        await store?.close();
      }
    }
    await rm(folder, { recursive: true });
    return rows;
  },
};
