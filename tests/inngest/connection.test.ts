import { Inngest } from "inngest";
import { afterEach, expect, it } from "vitest";
import { type AppConnection, connectApp } from "#inngest/connection.ts";
import { log } from "#lib/log.ts";
import { inngest } from "#tests/servers/inngest/inngest.ts";
import { eventKey, signingKey } from "#tests/servers/inngest/server.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** Connections that a test opened. Their function calls `work`, which a test can replace. */
const connections: AppConnection[] = [];
let attempts = 0;
let work: (attempt: number) => Promise<unknown> = async () => "done";

function open(key = signingKey, concurrency = 2): AppConnection {
  const client = new Inngest({
    id: "app",
    baseUrl: inngest.url,
    eventKey,
    signingKey: key,
    isDev: false,
    logger: log,
  });
  const triggers: [{ event: string }] = [{ event: "work" }];
  const fn = client.createFunction({ id: "work", triggers, retries: 1 }, ({ step }) =>
    step.run("step", () => work(++attempts)),
  );
  const connection = connectApp(client, [fn], concurrency);
  connections.push(connection);
  return connection;
}

function send(id: string): () => ReturnType<typeof inngest.executor.runsOf>[number] | undefined {
  inngest.executor.accept({ id, name: "work", data: { id }, ts: Date.now() });
  return () => inngest.executor.runsOf("app-work", id)[0];
}

afterEach(async () => {
  attempts = 0;
  work = async () => "done";
  for (const connection of connections.splice(0)) await connection.close(1000);
});

it("a runner with another signing key is rejected and stays inactive", async () => {
  const connection = open("signkey-test-0000");
  await waitUntil(() => inngest.rejectedRequests > 0);
  expect(connection.isActive()).toBe(false);
  expect(inngest.gateway.workers.size).toBe(0);
});

it("Inngest receives the result of a step and the end of the run", async () => {
  const connection = open();
  await waitUntil(() => connection.isActive());
  const run = send("one");
  await waitUntil(() => run()?.status === "completed");
  expect(run()).toMatchObject({ output: "done", attempts: [0] });
  expect([...(run()?.steps.values() ?? [])]).toEqual([{ type: "data", data: "done" }]);
});

it("a failed step is retried as often as the function is configured, then the run fails", async () => {
  work = async (attempt) => {
    throw new Error(`failure ${attempt}`);
  };
  const connection = open();
  await waitUntil(() => connection.isActive());
  const run = send("failing");
  await waitUntil(() => run()?.hasEnded === true);
  expect(attempts).toBe(2);
  expect(run()).toMatchObject({ status: "failed" });
});

it("the number of concurrent runs does not exceed the concurrency of the runner", async () => {
  const held = Promise.withResolvers<void>();
  work = () => held.promise;
  const connection = open(signingKey, 2);
  await waitUntil(() => connection.isActive());
  const runs = [send("a"), send("b"), send("c")];
  await waitUntil(() => attempts === 2);
  expect(runs.map((run) => run()?.status)).toEqual(["running", "running", "waiting"]);
  held.resolve();
  await waitUntil(() => runs.every((run) => run()?.status === "completed"));
});

it("a long step keeps its lease, also over a lost connection", async () => {
  const held = Promise.withResolvers<string>();
  work = () => held.promise;
  const connection = open();
  await waitUntil(() => connection.isActive());
  const run = send("long");
  const isExtended = () =>
    [...inngest.gateway.workers].some((worker) => worker.leaseExtensions > 0);
  await waitUntil(isExtended);
  inngest.gateway.dropAll();
  await waitUntil(() => !isExtended() && connection.isActive());
  await waitUntil(isExtended);
  held.resolve("done");
  await waitUntil(() => run()?.status === "completed");
  expect(run()).toMatchObject({ output: "done", attempts: [0] });
});

it("a runner that starts while Inngest is unavailable connects when Inngest is available again", async () => {
  await inngest.close();
  const connection = open();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(connection.isActive()).toBe(false);
  await inngest.listen();
  await waitUntil(() => connection.isActive());
});

it("a runner that shuts down finishes its runs and accepts no more", async () => {
  const held = Promise.withResolvers<void>();
  work = () => held.promise;
  const connection = open();
  await waitUntil(() => connection.isActive());
  const first = send("first");
  await waitUntil(() => attempts === 1);
  const closing = connection.close(20_000);
  await waitUntil(() => [...inngest.gateway.workers].every((worker) => worker.paused));
  const second = send("second");
  held.resolve();
  await closing;
  await waitUntil(() => first()?.status === "completed");
  expect(second()).toMatchObject({ status: "waiting", attempts: [] });
});
