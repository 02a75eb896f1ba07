import { once } from "node:events";
import { createServer } from "node:http";
import type { Job } from "#lib/jobs/view/job.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { startStack } from "#tests/service/stack.ts";

/**
 * Runs a job of more than a minute; its source sends a byte every five seconds. The event stream must stay
 * open and report the job's end. A client that waits repeatedly, a minute per request, must see it too.
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
  const { id } = (await accepted.clone().json()) as Job; // the API's own response
  const startedAt = Date.now();
  const events = client.request(`/v1/jobs/${id}/events`).then(async (stream) => {
    const jobs = (await stream.text()).split("\n").filter((line) => line.startsWith("data:"));
    return { last: JSON.parse(jobs.at(-1)?.slice(5) ?? "null") as Job, endedAt: Date.now() };
  });
  const waited = await client.finish(accepted);
  const waitedMs = Date.now() - startedAt;
  const { last, endedAt } = await events;
  for (const job of [waited, last]) {
    if (job.status !== "completed")
      throw new Error(`the job's end was not reported: ${JSON.stringify(job)}`);
  }
  if (waitedMs < 60_000) throw new Error(`the job took less than a minute: ${waitedMs} ms`);
  const apartMs = Math.abs(endedAt - startedAt - waitedMs);
  if (apartMs > 5000) throw new Error(`the two reports were ${apartMs} ms apart`);
  process.stdout.write(
    `a job of ${Math.round(waitedMs / 1000)} s: both the stream and the waiting client saw its end\n`,
  );
} finally {
  await stack.stop();
  source.close();
  source.closeAllConnections();
}
