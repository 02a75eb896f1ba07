import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { Client } from "#tests/service/http/client.ts";
import { comparable, exchange, lengthOf } from "#tests/service/http/exchange.ts";
import { type NextAlone, startNextAlone } from "#tests/service/next-alone.ts";
import { type ScenarioContext, serverScenarios } from "#tests/service/server-scenarios.ts";
import { until } from "#tests/service/stack.ts";

const { url } = inject("service");
const client = new Client();
let next: NextAlone;
let contexts: { readonly own: ScenarioContext; readonly next: ScenarioContext };

beforeAll(async () => {
  next = await startNextAlone(inject("service"));
  const job = await client.run("pipeline/file-inspect", { bytes: "a note", filename: "note.txt" });
  const output = new URL(job.outputs[0]?.url ?? "");
  const head = await client.request(`/v1/jobs/${job.id}/output`, { method: "HEAD" });
  const shared = {
    key: client.key,
    job: job.id,
    signed: `${output.pathname}${output.search}`,
    etag: head.headers.get("etag") ?? "",
  };
  contexts = {
    own: { ...shared, upload: await createUpload() },
    next: { ...shared, upload: await createUpload() },
  };
});

afterAll(() => next?.stop());

/** The path to which the file is sent. */
async function createUpload(): Promise<string> {
  const created = await client.postJson("/v1/uploads", { filename: "note.txt", bytes: 4 });
  const target = new URL((await created.json()).url);
  return `${target.pathname}${target.search}`;
}

describe("our server and Next.js alone respond in the same way to", () => {
  it.each(serverScenarios)("$name", async ({ send, status, nextStatus, body, hasLength }) => {
    const own = await exchange(url, send(contexts.own));
    const alone = await exchange(next.url, send(contexts.next));
    expect(own.status, own.body).toBe(status);
    if (nextStatus !== undefined) {
      expect(alone.status).toBe(nextStatus);
      return;
    }
    const kind = body ?? "exact";
    expect(comparable(alone, kind), alone.body).toEqual(comparable(own, kind));
    if (hasLength) {
      expect(lengthOf(own)).toMatch(/^\d+$/);
      expect(lengthOf(alone)).toBe(lengthOf(own));
    }
  });
});

/** The milliseconds between a response and the row of its request in the log. */
async function measureLogging(): Promise<number> {
  const { headers } = await exchange(next.url, {
    path: "/v1/jobs?limit=1",
    headers: { "x-api-key": client.key },
  });
  const id = headers["x-request-id"] ?? "";
  const startedAt = Date.now();
  await withServiceDatabase((sql) =>
    until(async () => {
      const [row] = await sql`select 1 from api_requests where id = ${id}`;
      return row !== undefined;
    }, 20_000),
  );
  return Date.now() - startedAt;
}

it("Next.js alone writes its log of requests when it has responded", async () => {
  // The timer of the log takes a second every time, other work on the machine only sometimes.
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 10 && shortestMs >= 900; count++)
    shortestMs = Math.min(shortestMs, await measureLogging());
  expect(shortestMs).toBeLessThan(900);
});
