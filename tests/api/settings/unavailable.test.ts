import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import type { PlanName } from "#lib/plans.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { FaultProxy } from "#tests/servers/fault-proxy.ts";
import { copyDatabase } from "#tests/service/database/cluster-template.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, type Stack, startSmallStack } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** The whole service with its database behind a fault proxy and its storage on a disk of a few megabytes. */

const diskBytes = 24_000_000;
const megabyte = 1_000_000;
const minute = 60_000;

let folder: string;
let database: Awaited<ReturnType<typeof startDatabase>>;
let proxy: FaultProxy;
let stack: Stack;
let client: ApiClient;
let source: Server;
let sourceUrl: string;

/** A file on another host, which responds once `released` resolves. */
const file = { bytes: 0, requests: 0, released: Promise.withResolvers<void>() };

function holdFile(bytes: number): void {
  Object.assign(file, { bytes, requests: 0, released: Promise.withResolvers<void>() });
}

/** Mounts `DATA_DIR/storage` as a small disk with bubblewrap, which works as root and as another user. */
const smallDisk = (dataDir: string) => [
  "bwrap",
  "--dev-bind",
  "/",
  "/",
  "--size",
  String(diskBytes),
  "--tmpfs",
  join(dataDir, "storage"),
  ...(process.getuid?.() === 0 ? ["--cap-add", "ALL"] : []),
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-unavailable-"));
  await copyDatabase(folder);
  database = await startDatabase(folder);
  proxy = new FaultProxy(Number(new URL(database.url).port));
  await proxy.open();
  const port = await freePort();
  sourceUrl = `http://127.0.0.1:${port}/file`;
  source = createServer(async (_request, response) => {
    file.requests++;
    await file.released.promise;
    response.end("x".repeat(file.bytes));
  }).listen(port, "127.0.0.1");
  await once(source, "listening");
  const variables = {
    DATABASE_URL: Object.assign(new URL(database.url), { port: proxy.port }).href,
    FETCH_ALLOW: `127.0.0.1:${port}`,
    NODE_OPTIONS: "--conditions=mediamill-test",
  };
  stack = await startSmallStack(variables, smallDisk);
  client = new ApiClient(stack.url, stack.apiKey);
});

afterAll(async () => {
  await proxy.open();
  const code = await stack.stop();
  source.close();
  source.closeAllConnections();
  await proxy.close();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
  expect(code, stack.output().slice(-4000)).toBe(0);
});

/** A test that fails shows what the service logged, and leaves it as the next one expects it. */
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  process.stderr.write(stack.output().slice(-20_000));
  file.released.resolve();
  proxy.resume();
  await proxy.open();
});

const inspect = (bytes: number) =>
  client.postForm("/v1/pipeline/file-inspect", {
    file: { bytes: "x".repeat(bytes), filename: "a.txt" },
  });

/** Expects `unavailable` with the number of seconds after which to retry. */
async function expectUnavailable(response: Response): Promise<void> {
  expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  await expectError(response, "unavailable");
}

/** Pictures that were asked for, each another one. */
let pictures = 0;

function postGotenbergForm(): Promise<Response> {
  const body = new FormData();
  for (const name of ["a.pdf", "b.pdf"]) body.append("files", new Blob(["%PDF-1.7"]), name);
  const headers = { "x-api-key": stack.apiKey };
  return fetch(`${stack.url}/forms/pdfengines/merge`, { method: "POST", headers, body });
}

const isReady = async () => (await fetch(`${stack.url}/readyz`)).status === 200;

const interruptions: readonly (readonly [
  name: string,
  interrupt: () => Promise<void>,
  restore: () => Promise<void>,
])[] = [
  ["refuses connections", () => proxy.close(), () => proxy.open()],
  ["does not respond", async () => proxy.pause(), async () => proxy.resume()],
];

describe("an unavailable database", () => {
  it.each(interruptions)(
    "that %s returns 503 and loses no accepted job",
    async (_name, interrupt, restore) => {
      holdFile(10);
      const fetching = await client.postJson("/v1/pipeline/file-inspect", { input: sourceUrl });
      await waitUntil(() => file.requests === 1, minute);
      await interrupt();
      const requests = [
        client.request("/v1/jobs"),
        client.postJson("/v1/pipeline/file-inspect", { input: sourceUrl }),
        inspect(10),
        inspect(megabyte),
        client.request("/v1/usage"),
        client.postJson("/v1/uploads", { filename: "a.txt", bytes: 9 }),
        client.postJson("/mcp", {}),
      ];
      for (const response of await Promise.all(requests)) await expectUnavailable(response);
      const readiness = await fetch(`${stack.url}/readyz`);
      expect(readiness.status).toBe(503);
      expect(await readiness.json()).toMatchObject({ database: "missing" });
      expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
      file.released.resolve();
      await restore();
      await waitUntil(isReady, minute);
      expect(await client.finish(fetching)).toMatchObject({ status: "completed" });
      const job = await client.finish(await inspect(10));
      expect(job).toMatchObject({ status: "completed" });
    },
  );

  it.each(interruptions)(
    "that %s: pictures and forms get 503, and pages are shown",
    async (_name, interrupt, restore) => {
      const created = await client.postJson("/v1/images/keys", { unsigned: true });
      const { id } = (await created.json()) as { readonly id: string };
      const readPicture = () =>
        fetch(`${stack.url}/i/${id}/unsafe/w:${++pictures}/plain/http://127.0.0.1:1/a.png`);
      // Until the runner has checked its engines, no picture is made.
      await waitUntil(async () => (await readPicture()).status === 404, minute);
      // Some of them are on their way to the runner when the database is lost.
      const interrupted: Promise<Response>[] = [];
      const asking = setInterval(() => interrupted.push(readPicture()), 5);
      await waitUntil(() => interrupted.length > 40, minute);
      await interrupt();
      await waitUntil(() => interrupted.length > 80, minute);
      clearInterval(asking);
      const pages = ["/", "/docs/image/resize"].map((path) => fetch(`${stack.url}${path}`));
      for (const response of await Promise.all([...interrupted, postGotenbergForm()])) {
        const text = await response.text();
        if (response.status === 404) continue;
        expect(response.status, text).toBe(503);
        expect(response.headers.get("retry-after")).toBe("5");
      }
      expect((await Promise.all(interrupted)).at(-1)?.status).toBe(503);
      for (const page of await Promise.all(pages)) expect(page.status).toBe(200);
      await restore();
      await waitUntil(isReady, minute);
      await waitUntil(async () => (await readPicture()).status === 404, minute);
    },
  );
});

it.each(interruptions)(
  "a request that is rejected while the database %s learns why, though it is not counted",
  async (_name, interrupt, restore) => {
    await setPlan("free");
    const sent = Promise.withResolvers<void>();
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(encoder.encode('{"input":'));
        await sent.promise;
        controller.enqueue(encoder.encode("1}"));
        controller.close();
      },
    });
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" };
    const sentAt = await readTime();
    const response = client.request("/v1/pipeline/file-inspect", init);
    // A later statement of the same connection may hide it.
    await waitUntil(() => hasReadRate(sentAt), 5_000).catch(() => {});
    // The result may still be on its way through the proxy.
    await wait(500);
    await interrupt();
    sent.resolve();
    try {
      await expectError(await response, "invalid_parameter");
    } finally {
      await restore();
    }
    await waitUntil(isReady, minute);
    await setPlan("enterprise");
  },
);

/** Uses the database without the proxy. */
async function withDatabase<Result>(use: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(database.url, { max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

/** The plan of all accounts. */
const setPlan = (plan: PlanName) => withDatabase((sql) => sql`update accounts set plan = ${plan}`);

const readTime = (): Promise<string> =>
  withDatabase(async (sql) => String((await sql`select now()::text as now`)[0]?.now));

/** Whether the service has read how many requests an account has sent: the last that it needs of the database before a body. */
const hasReadRate = (since: string) =>
  withDatabase(async (sql) => {
    const rows = await sql`
      select from pg_stat_activity
      where query like '%from rate_windows%' and state = 'idle' and query_start > ${since}::timestamptz
        and pid <> pg_backend_pid()`;
    return rows.length > 0;
  });

describe("a full disk", () => {
  it("rejects uploads with 503, keeps accepted jobs waiting, and continues once there is space", async () => {
    const large = await client.finish(await inspect(18 * megabyte));
    expect(large.status).toBe("completed");
    await expectUnavailable(await inspect(10 * megabyte));
    // The fetch to another disk succeeds, but storage has no space.
    holdFile(10 * megabyte);
    file.released.resolve();
    const accepted = await client.postJson("/v1/pipeline/file-inspect", { input: sourceUrl });
    expect(accepted.status).toBe(202);
    const { id }: Job = await accepted.clone().json();
    const isWaiting = (line: string) => line.includes(id) && line.includes('"kind":"wait"');
    await waitUntil(() => stack.output().split("\n").some(isWaiting), minute);
    const waiting = await (await client.request(`/v1/jobs/${id}`)).json();
    expect(waiting).toMatchObject({ status: "processing", error: null });
    expect((await client.request(`/v1/jobs/${large.id}`, { method: "DELETE" })).status).toBe(204);
    expect(await client.finish(accepted)).toMatchObject({ status: "completed" });
    // This upload fits only if the rejected ones left nothing behind.
    expect((await inspect(10 * megabyte)).status).toBe(202);
  });
});
