import { Agent, request } from "node:http";
import type { LoadPlan, LoadResult } from "./load.ts";

/**
 * Sends the requests of each plan that arrives by IPC, and answers with their times. A process of its own
 * with node:http, because `fetch` needs several times the CPU time and would slow down the service.
 */

async function run(plan: LoadPlan): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.clients });
  const target = new URL(plan.url);
  const body = Buffer.from(plan.body ?? "", "base64");
  const latenciesMs: number[] = [];
  const unexpected: string[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const deadline = plan.seconds === undefined ? Infinity : startedAt + plan.seconds * 1000;
  let left = plan.requests ?? Infinity;

  /** Resolves with a description of an unexpected response; undefined if it is as expected. */
  const send = () =>
    new Promise<string | undefined>((resolve, reject) => {
      const headers = { ...plan.headers, ...(plan.body && { "content-length": body.length }) };
      const sent = request(target, { agent, method: plan.method ?? "GET", headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const isExpected =
            response.statusCode === plan.status && (!plan.contains || text.includes(plan.contains));
          resolve(isExpected ? undefined : `${response.statusCode} ${text.slice(0, 300)}`);
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });

  const runClient = async () => {
    while (left-- > 0 && performance.now() < deadline) {
      const sentAt = performance.now();
      const problem = await send();
      latenciesMs.push(performance.now() - sentAt);
      if (problem !== undefined) unexpected.push(problem);
    }
  };
  await Promise.all(Array.from({ length: plan.clients }, runClient));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, latenciesMs, unexpected, cpuMs: (user + system) / 1000 };
}

process.on("message", async (plan: LoadPlan | "stop") => {
  if (plan === "stop") process.exit(0);
  try {
    process.send?.(await run(plan));
  } catch (error) {
    process.send?.({ failed: String(error) });
  }
});
process.send?.("ready");
