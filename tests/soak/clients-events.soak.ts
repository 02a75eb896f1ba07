import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { python } from "#scripts/commands/clients/python-wheel.ts";
import { Cli } from "#tests/service/cli.ts";
import { startStack } from "#tests/service/stack.ts";

/**
 * Kills the web process several times while 50 jobs are created and run. `mediamill listen`, the SDK and
 * Python must each receive the event of each job's end once.
 */

const jobs = 50;
const kills = 3;
const limitMs = 120_000;

const stack = await startStack({ LOG_LEVEL: "warn" });
const { url: baseUrl, apiKey } = stack;
const cli = new Cli({ MEDIAMILL_API_KEY: apiKey, MEDIAMILL_BASE_URL: baseUrl });
const received: Record<string, string[]> = { "CLI (webhooks)": [], CLI: [], SDK: [], Python: [] };
const add = (client: string, id: string) => received[client]?.push(id);
const children: ChildProcess[] = [];

/** The receiver of the webhooks of `listen`. */
let secret = "";
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const headers = request.headers as Record<string, string>;
    const event = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers);
    add("CLI (webhooks)", (event as { data: { id: string } }).data.id);
    response.end();
  });
}).listen(0, "127.0.0.1");
await once(receiver, "listening");

async function startListen(): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const child = cli.start(["listen", "--forward-to", `127.0.0.1:${port}/hook`, "--json"]);
  children.push(child);
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) =>
    add("CLI", JSON.parse(line).job.id),
  );
  for await (const line of createInterface({ input: child.stderr ?? process.stdin })) {
    secret = /whsec_\S+/.exec(line)?.[0] ?? "";
    if (secret) return;
  }
}

const controller = new AbortController();
const mm = new Mediamill({ baseUrl, apiKey, maxRetries: 8 });

async function startSdk(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { signal } = controller;
  const events = mm.events({ types: ["job.completed"], signal, onPosition: resolve });
  const follow = async () => {
    for await (const { job } of events) add("SDK", job.id);
  };
  follow().catch((error: unknown) => process.stderr.write(`SDK: ${error}\n`));
  await promise;
}

const script = `
from mediamill import Mediamill
ready = []
def report(position):
    if not ready:
        ready.append(position)
        print("ready", flush=True)
for event in Mediamill().events(types=["job.completed"], on_position=report):
    print(event.job["id"], flush=True)
`;

async function startPython(): Promise<void> {
  const source = join(import.meta.dirname, "../../packages/python/src");
  const own = { PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(python, ["-c", script], { env: { ...cli.environment, ...own } });
  children.push(child);
  child.stderr.pipe(process.stderr);
  const { promise, resolve } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line === "ready") resolve();
    else add("Python", line);
  });
  await promise;
}

/** Creates the jobs, and kills the web process between them. */
async function createJobs(): Promise<string[]> {
  const ids: string[] = [];
  const every = Math.floor(jobs / (kills + 1));
  for (let index = 0; index < jobs; index++) {
    if (index % every === every - 1 && index < kills * every) {
      const pid = Number(readFileSync(join(stack.dataDir, "run/web.pid"), "utf8"));
      process.kill(pid, "SIGKILL");
    }
    ids.push((await mm.create("image/qr-code", { text: `${index}` })).id);
  }
  return ids;
}

try {
  await Promise.all([startListen(), startSdk(), startPython()]);
  const startedAt = performance.now();
  const ids = await createJobs();
  if (new Set(ids).size !== jobs) throw new Error("a job was created twice");
  const isDone = () => Object.values(received).every((list) => list.length >= jobs);
  while (!isDone() && performance.now() - startedAt < limitMs) await sleep(200);
  // What would come twice comes now.
  await sleep(2000);
  for (const [client, list] of Object.entries(received)) {
    const missing = ids.filter((id) => !list.includes(id)).length;
    const twice = list.length - new Set(list).size;
    const line = `${client}: ${list.length} events of ${jobs} jobs, ${missing} lost, ${twice} twice`;
    process.stdout.write(`${line}\n`);
    if (missing > 0 || twice > 0) process.exitCode = 1;
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`The web process was killed ${kills} times in ${seconds} s.\n`);
} finally {
  controller.abort();
  for (const child of children) child.kill("SIGKILL");
  receiver.close();
  await stack.stop();
  cli.remove();
}
