import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { registerApp, sendSigned } from "#tests/servers/inngest/app-calls.ts";
import type { Run } from "#tests/servers/inngest/run.ts";
import { InngestServer, signingKey } from "#tests/servers/inngest/server.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, type Stack, startSmallStack } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** The whole service with Inngest: web, media and webhooks as separate processes. */

let inngest: InngestServer;
let stack: Stack;
let client: ApiClient;
let spare: number;

const text = { bytes: "some text", filename: "a.txt" };
const minute = 60_000;

beforeAll(async () => {
  inngest = await InngestServer.start();
  spare = await freePort();
  const hosts = [new URL(inject("host").url).host, `127.0.0.1:${spare}`];
  stack = await startSmallStack({
    ...inngest.variables,
    // Inngest needs runners of all engines.
    MEDIA_ENGINES: "all",
    FETCH_ALLOW: hosts.join(","),
    NODE_OPTIONS: "--conditions=mediamill-test",
  });
  client = new ApiClient(stack.url, stack.apiKey);
});

afterAll(async () => {
  const code = await stack.stop();
  await inngest.close();
  expect(code, stack.output().slice(-4000)).toBe(0);
});

/**
 * Waits until the job's runs of one function have ended, which they do after the job completes, and returns those that
 * did it. On a busy machine a job is enqueued again before it is recorded that its message was sent; that run finds
 * nothing to do.
 */
async function waitForRuns(name: string, jobId: string): Promise<readonly Run[]> {
  const runs = () => inngest.executor.runsOf(`mediamill-${name}`, jobId);
  await waitUntil(() => runs().length > 0 && runs().every((run) => run.hasEnded), minute);
  return runs().filter(({ output }) => !isIdle(output));
}

const isIdle = (output: unknown) =>
  isDeepStrictEqual(output, { jobs: [], ended: "nothing_to_claim" });

it("three apps connect, each with its own function", () => {
  const apps = [...inngest.gateway.workers].map(({ apps, slots }) => [apps, slots]);
  expect(apps).toEqual(
    expect.arrayContaining([
      [["mediamill-media"], expect.any(Number)],
      [["mediamill-fetch"], 16],
      [["mediamill-webhooks"], 400],
    ]),
  );
  for (const id of ["media-run-job", "fetch-fetch-inputs", "webhooks-deliver-webhook"]) {
    expect(inngest.executor.functionOf(`mediamill-${id}`)).toMatchObject({
      steps: { step: { retries: { attempts: 3 }, runtime: { type: "ws" } } },
    });
  }
});

it("a job and its webhook complete, and the logs of all processes contain the job id", async () => {
  const receiver = `${inject("host").url}/hook/inngest-${Date.now()}/200`;
  const job = await client.run("pipeline/file-inspect", text, { webhook_url: receiver });
  expect(job).toMatchObject({ status: "completed", result: { bytes: 9 } });
  expect(await waitForRuns("media-run-job", job.id)).toMatchObject([
    { status: "completed", output: { jobs: [{ job: job.id }] }, attempts: [0] },
  ]);
  const hooks = async (): Promise<{ body: string; headers: Record<string, string> }[]> =>
    (await fetch(receiver)).json();
  await waitUntil(async () => (await hooks()).length === 1, minute);
  const [hook] = await hooks();
  expect(JSON.parse(hook?.body ?? "")).toMatchObject({ data: { id: job.id } });
  const lines = () =>
    stack
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): { service: string; msg: string; job?: string } => JSON.parse(line));
  const jobLines = () => lines().filter((line) => line.job === job.id);
  await waitUntil(() => jobLines().some(({ msg }) => msg === "webhook delivered"), minute);
  const messages = jobLines().map(({ service, msg }) => `${service}: ${msg}`);
  expect(messages.filter((line) => line !== "web: request handled")).toEqual([
    "web: job accepted",
    "media: job started",
    "media: job stage completed",
    "media: job completed",
    "webhooks: webhook delivered",
  ]);
  // Every line that mentions the job has its id in the `job` field.
  const mentioning = lines().filter((line) => JSON.stringify(line).includes(job.id));
  expect(mentioning.filter((line) => line.job !== job.id)).toEqual([]);
});

it("a job from a URL is fetched by one function and run by another", async () => {
  const input = `${inject("host").url}/hook/input/200`;
  const job = await client.runUrl("pipeline/file-inspect", input);
  expect(job.status).toBe("completed");
  for (const name of ["fetch-fetch-inputs", "media-run-job"]) {
    const output = { jobs: [{ job: job.id, operation: "pipeline/file-inspect" }] };
    expect(await waitForRuns(name, job.id)).toMatchObject([{ output }]);
  }
});

it("a job whose runner is killed is claimed by the next runner", async () => {
  const responses: (() => void)[] = [];
  // Responds only to the second request.
  const source = createServer((_request, response) => {
    responses.push(() => response.end("some text"));
    if (responses.length > 1) responses.at(-1)?.();
  }).listen(spare, "127.0.0.1");
  await once(source, "listening");
  const accepted = await client.postJson("/v1/pipeline/file-inspect", {
    input: `http://127.0.0.1:${spare}/`,
  });
  await waitUntil(() => responses.length === 1, minute);
  process.kill(Number(readFileSync(join(stack.dataDir, "run/media.pid"), "utf8")), "SIGKILL");
  expect(await client.finish(accepted)).toMatchObject({ status: "completed" });
  source.close();
  source.closeAllConnections();
});

it("while Inngest is unavailable new jobs are rejected, and accepted jobs run once it is back", async () => {
  const source = createServer().listen(spare, "127.0.0.1");
  await once(source, "listening");
  // The runner may ask for the input before the answer to the client has been read.
  const requested = once(source, "request");
  const response = await client.postJson("/v1/pipeline/file-inspect", {
    input: `http://127.0.0.1:${spare}/`,
  });
  expect(response.status).toBe(202);
  const { id }: Job = await response.clone().json();
  const [, sourceResponse] = await requested;
  await inngest.close();
  let sent = 0;
  const send = () =>
    client.postForm(
      "/v1/pipeline/file-inspect",
      { file: text },
      { "idempotency-key": `unavailable-${sent}` },
    );
  // A run that waits for a job needs no message, and takes one until it has noticed the loss of its connection.
  await waitUntil(async () => {
    sent += 1;
    return (await send()).status === 503;
  }, minute);
  const readUsage = async () => JSON.stringify(await (await client.request("/v1/usage")).json());
  // A job that such a run has taken may end in between.
  await waitUntil(async () => {
    const before = await readUsage();
    const rejected = await send();
    expect(rejected.headers.get("retry-after")).toMatch(/^\d+$/);
    await expectError(rejected, "unavailable");
    return before === (await readUsage());
  }, minute);
  const readiness = () => fetch(`${stack.url}/readyz`);
  // The runner that the test above has killed may still hold slots.
  await waitUntil(
    async () => (await (await readiness()).json()).media_runner === "missing",
    minute,
  );
  const unready = await readiness();
  expect(unready.status).toBe(503);
  expect(unready.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await unready.json()).toMatchObject({ database: "ok" });
  sourceResponse.end("some text");
  expect(await (await client.request(`/v1/jobs/${id}`)).json()).toMatchObject({
    status: expect.stringMatching(/pending|processing/),
  });
  await inngest.listen();
  expect(await client.finish(response)).toMatchObject({ status: "completed" });
  const accepted = await send();
  expect(accepted.headers.get("idempotency-replayed")).toBeNull();
  expect(await client.finish(accepted)).toMatchObject({ status: "completed" });
  source.close();
  source.closeAllConnections();
  await waitUntil(async () => (await fetch(`${stack.url}/readyz`)).status === 200, minute);
});

describe("/api/inngest", () => {
  const endpoint = () => new URL("/api/inngest", stack.url);
  const sweepCall = () => {
    const url = endpoint();
    url.searchParams.set("fnId", "mediamill-web-sweep");
    url.searchParams.set("stepId", "step");
    return url;
  };

  it("registers only the sweep when Inngest requests it", async () => {
    const response = await registerApp(endpoint().href, signingKey);
    expect(response.status).toBe(200);
    const [registration] = inngest.registrations;
    expect(registration).toMatchObject({ appName: "mediamill-web", url: endpoint().href });
    expect(registration?.functions).toMatchObject([
      { id: "mediamill-web-sweep", triggers: [{ cron: "* * * * *" }] },
    ]);
  });

  it("runs the sweep on a signed call", async () => {
    const run = inngest.executor.runScheduled("mediamill-web-sweep");
    await waitUntil(() => run.hasEnded, minute);
    expect(run).toMatchObject({ status: "completed", attempts: [0] });
    expect(run.history.map(({ name }) => name)).toEqual(["release dead runners", "sweep"]);
  });

  const body = { event: {}, events: [{}], steps: {}, ctx: { run_id: "x", attempt: 0 } };
  const hour = 3_600_000;

  it.each([
    ["an unsigned call", () => fetch(sweepCall(), { method: "POST", body: JSON.stringify(body) })],
    ["an unsigned call that is not JSON", () => fetch(sweepCall(), { method: "POST", body: "{" })],
    ["an unsigned registration", () => fetch(endpoint(), { method: "PUT" })],
    ["an unsigned GET", () => fetch(endpoint())],
    ["another key", () => sendSigned(sweepCall(), "POST", body, "signkey-test-0123")],
    ["a registration with another key", () => registerApp(endpoint().href, "signkey-test-0123")],
    [
      "a signature that is an hour old",
      () => sendSigned(sweepCall(), "POST", body, signingKey, Date.now() - hour),
    ],
    [
      "a wrong signature of a body that is not JSON",
      () =>
        fetch(sweepCall(), {
          method: "POST",
          headers: { "x-inngest-signature": "t=1&s=00" },
          body: "{",
        }),
    ],
  ])("rejects %s with 401", async (_name, call) => {
    const runs = inngest.executor.runs.length;
    await expectError(await call(), "unauthorized");
    expect(inngest.executor.runs).toHaveLength(runs);
  });

  it("rejects large bodies before it reads them, and other methods", async () => {
    const large = await fetch(sweepCall(), { method: "POST", body: "x".repeat(1_100_000) });
    await expectError(large, "too_large");
    const response = await fetch(endpoint(), { method: "DELETE" });
    expect(response.headers.get("allow")).toContain("PUT");
    await expectError(response, "method_not_allowed");
  });
});

it("without a metrics token /metrics returns 404", async () => {
  await expectError(await fetch(`${stack.url}/metrics`), "not_found");
});

it("without Inngest the endpoint also rejects every call", async () => {
  const url = new URL("/api/inngest", inject("service").url);
  for (const method of ["GET", "PUT", "POST"]) {
    await expectError(await fetch(url, { method }), "unauthorized");
  }
  await expectError(await registerApp(url.href, signingKey), "unauthorized");
});
