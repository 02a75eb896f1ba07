import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paintNoise } from "#tests/samples/images/images.ts";
import { startFileServer } from "#tests/servers/files.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, type Stack, startStack, until } from "#tests/service/stack.ts";
import { readCpuSeconds } from "../measure/process-times.ts";
import { type BenchRow, makeRow, measureInTurns, type Round } from "../report/rows.ts";

/**
 * Pictures by URL against imgproxy, whose program `IMGPROXY` names; without it, the service alone. A photo of
 * 2040 × 1360 pixels becomes 600 pixels wide.
 */

const rounds = 5;
/** Until the engines have started and V8 has compiled what runs often. */
const warmUps = 3;
const secondsPerRound = 4;
const clients = 4;

interface Side {
  /** The CPU seconds that the side has used so far. */
  readonly cpu: () => number;
  /** The URL of a picture that was not asked for before. */
  readonly next: () => string;
}

const photo = "photo of 2040 × 1360 to 600";

/** Reads a URL to its end. Rejects unless the status is 200. */
function read(url: string, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  get(url, { agent }, (response) => {
    response.resume();
    response.on("end", () => {
      if (response.statusCode === 200) resolve();
      else reject(new Error(`${url}: ${response.statusCode}`));
    });
  }).on("error", reject);
  return promise;
}

/** Pictures a second, and the CPU time of all of them. */
async function measureRound({ cpu, next }: Side): Promise<Round> {
  // A server may close connections that were idle while the other sides were measured.
  const agent = new Agent({ keepAlive: true });
  const before = cpu();
  const startedAt = performance.now();
  const end = startedAt + secondsPerRound * 1000;
  let count = 0;
  const readUntilEnd = async () => {
    while (performance.now() < end) {
      await read(next(), agent);
      count++;
    }
  };
  await Promise.all(Array.from({ length: clients }, readUntilEnd));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  const cpuSeconds = (cpu() - before) / count;
  return { value: count / seconds, cpuSeconds };
}

/** Of the programs of the service, not of this one. */
function cpuOfService(): number {
  const programs = [...readCpuSeconds(process.pid)].filter(([name]) => name !== "other");
  return programs.reduce((sum, [, seconds]) => sum + seconds, 0);
}

const cpuOf = (pid = 0) => [...readCpuSeconds(pid).values()].reduce((sum, one) => sum + one, 0);

async function startImgproxy(program: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const env = {
    ...process.env,
    IMGPROXY_BIND: `127.0.0.1:${port}`,
    IMGPROXY_ALLOW_LOOPBACK_SOURCE_ADDRESSES: "true",
    IMGPROXY_LOG_LEVEL: "error",
  };
  const child = spawn(program, { env, stdio: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  await until(
    async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok ?? false,
    20_000,
  );
  return { child, url };
}

/** What a server of Node.js alone can send: the most that the client and this machine allow. */
const bareProgram = `
const body = Buffer.alloc(+process.env.BODY_BYTES, 1);
const headers = { "Content-Type": "image/jpeg", "Content-Length": body.length };
require("node:http").createServer((request, response) => {
  request.resume();
  response.writeHead(200, headers).end(body);
}).listen(+process.env.PORT, "127.0.0.1");`;

/** Starts a server that sends as many bytes as the picture at `url` has. */
async function startBare(url: string): Promise<{ child: ChildProcess; url: string }> {
  const { byteLength } = await (await fetch(url)).arrayBuffer();
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), BODY_BYTES: String(byteLength) };
  const child = spawn(process.execPath, ["-e", bareProgram], { env, stdio: "inherit" });
  const bare = `http://127.0.0.1:${port}/`;
  await until(async () => (await fetch(bare).catch(() => undefined))?.ok ?? false, 20_000);
  return { child, url: bare };
}

async function prepare(stack: Stack, photoUrl: string) {
  const client = new ApiClient(stack.url, stack.apiKey);
  const created = await client.postJson("/v1/images/keys", { unsigned: true });
  const { id } = (await created.json()) as { id: string };
  let count = 0;
  const pathOf = (text: string) => `rs:fit:600:0/cb:${text}/plain/${photoUrl}`;
  return {
    next: (base: string) => `${base}/unsafe/${pathOf(String(count++))}`,
    base: `${stack.url}/i/${id}`,
    fixed: `${stack.url}/i/${id}/unsafe/${pathOf("fixed")}`,
  };
}

export default {
  title: "peers",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
    const picture = (await paintNoise(2040, 1360)).blur(3).jpeg({ quality: 85 });
    await writeFile(join(folder, "photo.jpg"), await picture.toBuffer());
    const { server, port } = await startFileServer(folder);
    const host = `127.0.0.1:${port}`;
    const stack = await startStack({ FETCH_ALLOW: host });
    const program = process.env.IMGPROXY;
    const peer = program ? await startImgproxy(program) : undefined;
    let bare: Awaited<ReturnType<typeof startBare>> | undefined;
    try {
      const { next, base, fixed } = await prepare(stack, `http://${host}/photo.jpg`);
      bare = await startBare(fixed);
      const most = { cpu: () => cpuOf(bare?.child.pid), next: () => bare?.url ?? "" };
      const own = { cpu: cpuOfService, next: () => next(base) };
      const hit = { cpu: cpuOfService, next: () => fixed };
      const other = peer && { cpu: () => cpuOf(peer.child.pid), next: () => next(peer.url) };
      const sides: Record<string, () => Promise<Round>> = {
        service: () => measureRound(own),
        "service, from the cache": () => measureRound(hit),
        "a bare server of Node.js": () => measureRound(most),
      };
      if (other) sides.imgproxy = () => measureRound(other);
      const results = await measureInTurns(sides, { rounds, warmUps });
      return Object.entries(results).flatMap(([side, { values, cpu = 0 }]) => [
        makeRow(photo, side, "pictures/s", values),
        makeRow(photo, side, "ms of CPU each", (cpu / values.length) * 1000),
      ]);
    } finally {
      peer?.child.kill();
      bare?.child.kill();
      await stack.stop();
      server.close();
      await rm(folder, { recursive: true });
    }
  },
};
