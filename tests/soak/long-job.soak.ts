import { once } from "node:events";
import { createServer } from "node:http";
import type { Job } from "#lib/jobs/view/job.ts";
import { ApiClient } from "#tests/service/api-client.ts";
import { startStack } from "#tests/service/stack.ts";

/**
 * A job of over a minute, whose source sends a byte every five seconds: the event stream stays open
 * until its end and tells it, and so does a client that asks again after each minute of waiting.
 */

const bytes = 15;
const stepMs = 5000;

const source = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/plain", "content-length": bytes });
  let sent = 0;
  const timer = setInterval(() => {
    response.write("a");
    if (++sent === bytes) response.end();
  }, stepMs);
  response.on("close", () => clearInterval(timer));
}).listen(0, "127.0.0.1");
await once(source, "listening");
const address = source.address();
const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
const stack = await startStack({ LOG_LEVEL: "warn", FETCH_ALLOW: host });

try {
  const client = new ApiClient(stack.url, stack.apiKey);
  const input = `http://${host}/slow.txt`;
  const accepted = await client.postJson("/v1/pipeline/file-inspect", { input });
  const { id } = (await accepted.clone().json()) as Job; // as `ApiClient.finish`
  const startedAt = Date.now();
  const events = client.request(`/v1/jobs/${id}/events`).then(async (stream) => {
    const jobs = (await stream.text()).split("\n").filter((line) => line.startsWith("data:"));
    return { last: JSON.parse(jobs.at(-1)?.slice(5) ?? "null") as Job, endedAt: Date.now() };
  });
  const waited = await client.finish(accepted);
  const waitedMs = Date.now() - startedAt;
  const { last, endedAt } = await events;
  for (const job of [waited, last]) {
    if (job.status !== "completed") throw new Error(`the end was not told: ${JSON.stringify(job)}`);
  }
  if (waitedMs < 60_000) throw new Error(`the job took no minute: ${waitedMs} ms`);
  const apartMs = Math.abs(endedAt - startedAt - waitedMs);
  if (apartMs > 5000) throw new Error(`one was told ${apartMs} ms after the other`);
  process.stdout.write(`a job of ${Math.round(waitedMs / 1000)} s: both ways told of its end\n`);
} finally {
  await stack.stop();
  source.close();
  source.closeAllConnections();
}
