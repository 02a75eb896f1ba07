import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startStack } from "#tests/service/stack.ts";

/**
 * Runs 300 jobs while the media runner is killed every two seconds. Every accepted job must complete, and
 * its usage must be counted once.
 */

const total = 300;
const text = "some text that is inspected";
const stack = await startStack({ LOG_LEVEL: "warn" });
const headers = { "x-api-key": stack.apiKey };

async function read(path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${stack.url}${path}`, { headers })).json()) as Record<
    string,
    unknown
  >;
}

async function count(status: string): Promise<number> {
  const response = await fetch(`${stack.url}/v1/jobs?limit=1&status=${status}`, { headers });
  return Number(response.headers.get("x-total-count"));
}

const pidFile = join(stack.dataDir, "run/media.pid");
const killer = setInterval(() => {
  if (!existsSync(pidFile)) return; // the runner is restarting
  const pid = Number(readFileSync(pidFile, "utf8"));
  process.stdout.write(`killing the media runner ${pid}\n`);
  process.kill(pid, "SIGKILL");
}, 2000);

try {
  for (let index = 0; index < total; index++) {
    const body = new FormData();
    const isImage = index % 2 === 0;
    body.append("file", new File([isImage ? `<svg/>${index}` : `${text} ${index}`], "a.txt"));
    const response = await fetch(`${stack.url}/v1/pipeline/file-inspect`, {
      method: "POST",
      body,
      headers,
    });
    if (response.status !== 202) throw new Error(`job was not accepted: ${await response.text()}`);
  }
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  clearInterval(killer);
  const deadline = Date.now() + 120_000;
  while ((await count("completed")) < total) {
    if (Date.now() > deadline) throw new Error(`${await count("completed")} of ${total} completed`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const usage = await read("/v1/usage");
  if (usage.total_jobs !== total) throw new Error(`${usage.total_jobs} jobs were counted`);
  process.stdout.write(`${total} jobs completed, ${usage.gb_used} GB used\n`);
} finally {
  clearInterval(killer);
  await stack.stop();
}
