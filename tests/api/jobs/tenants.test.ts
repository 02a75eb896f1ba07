import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

interface Route {
  readonly path: string;
  readonly method: string;
}

const text = { bytes: "hello", filename: "a.txt" };
const noJob = `job_${"0".repeat(24)}`;
const noDelivery = `whd_${"0".repeat(24)}`;
let owner: Client;
let other: Client;
let job: Job;
let second: Job;
let deliveryId = "";

beforeAll(async () => {
  [owner, other] = await Promise.all([createClient(), createClient()]);
  const params = { webhook_url: "http://no.such.name.invalid/" };
  job = await owner.run("pipeline/file-inspect", text, params);
  second = await owner.run("pipeline/file-inspect", text);
  await until(async () => {
    deliveryId = (await readDelivery())?.id ?? "";
    return deliveryId !== "";
  }, 10_000);
});

async function readDelivery(): Promise<{ id: string } | undefined> {
  const rows = await withServiceDatabase(
    (sql) => sql<{ id: string }[]>`select id from webhook_deliveries where job_id = ${job.id}`,
  );
  return rows[0];
}

/** Every route under `/v1` that needs a key, as the service itself describes them. */
async function readRoutes(): Promise<Route[]> {
  const response = await fetch(`${inject("service").url}/openapi.json`);
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { security?: readonly unknown[] }>>;
  };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith("/v1/"))
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([name, { security }]) => isMethod(name) && security?.length !== 0)
        .map(([name]) => ({ path, method: name.toUpperCase() })),
    );
}

const isMethod = (name: string) => /^(get|put|post|patch|delete)$/.test(name);

const fill = (path: string, jobId: string, delivery: string) =>
  path
    .replace("/deliveries/{id}", `/deliveries/${delivery}`)
    .replace("{id}", jobId)
    .replace("{index}", "0");

describe("without a valid key", () => {
  it("every route returns 401", async () => {
    for (const { path, method } of await readRoutes()) {
      const headers = { "x-api-key": "" };
      const response = await owner.request(fill(path, job.id, deliveryId), { method, headers });
      expect(response.headers.get("www-authenticate"), path).toBe("Bearer");
      await expectError(response, "unauthorized");
    }
  });

  it.each([
    "in the query",
    "in a cookie",
    "as Basic",
    "without a scheme",
    "twice",
    "too short",
    "of 10,000 characters",
    "in lower case",
  ] as const)("a key %s returns 401", async (variant) => {
    const { key } = owner;
    const headers: Record<string, string> = {
      "in the query": {},
      "in a cookie": { cookie: `x-api-key=${key}; api_key=${key}` },
      "as Basic": { authorization: `Basic ${btoa(`${key}:`)}` },
      "without a scheme": { authorization: key },
      twice: { "x-api-key": `${key}, ${key}` },
      "too short": { "x-api-key": key.slice(0, -1) },
      "of 10,000 characters": { "x-api-key": key.padEnd(10_000, "0") },
      "in lower case": { "x-api-key": key.toLowerCase() },
    }[variant];
    const query = variant === "in the query" ? `?x-api-key=${key}&api_key=${key}&key=${key}` : "";
    const response = await owner.request(`/v1/usage${query}`, {
      headers: { "x-api-key": "", ...headers },
    });
    await expectError(response, "unauthorized");
  });

  it("an expired key returns 401", async () => {
    const client = await createClient();
    expect((await client.request("/v1/usage")).status).toBe(200);
    const setExpiry = (at: string) =>
      withServiceDatabase(
        (sql) => sql`
        update api_keys set expires_at = now() + ${at}::interval
        where account_id = (select id from accounts where email = ${client.email})`,
      );
    await setExpiry("1 hour");
    expect((await client.request("/v1/usage")).status).toBe(200);
    await setExpiry("-1 second");
    await expectError(await client.request("/v1/usage"), "unauthorized");
  });
});

const change = { method: "PATCH", headers: { "content-type": "application/json" }, body: "{}" };

describe("for another account", () => {
  it("every route returns the same 404 as for ids that do not exist", async () => {
    const routes = (await readRoutes()).filter(({ path }) => path.includes("{id}"));
    expect(routes.length).toBeGreaterThan(6);
    for (const { path, method } of routes) {
      const send = (id: string, delivery: string) =>
        other.request(fill(path, id, delivery), method === "PATCH" ? change : { method });
      const foreign = await send(job.id, deliveryId);
      const missing = await send(noJob, noDelivery);
      const bodies = [await foreign.clone().text(), await missing.text()];
      expect(bodies[0], `${method} ${path}`).toBe(bodies[1]);
      await expectError(foreign, "not_found");
    }
    const after = (await (await owner.request(`/v1/jobs/${job.id}`)).json()) as Job;
    expect([after.status, after.outputs.length]).toEqual(["completed", 1]);
  });

  it("lists are empty", async () => {
    const list = await (await other.request("/v1/jobs")).json();
    expect(list).toMatchObject({ jobs: [] });
    const listDeliveries = async (id: string) =>
      (await other.request(`/v1/webhooks/deliveries?job=${id}`)).text();
    expect(await listDeliveries(job.id)).toBe(await listDeliveries(noJob));
  });

  it("an upload cannot be used", async () => {
    const created = await owner.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    const { id, url } = (await created.json()) as { id: string; url: string };
    expect((await fetch(url, { method: "PUT", body: "hello" })).status).toBe(204);
    const use = (input: string) => other.postJson("/v1/pipeline/file-inspect", { input });
    const message = await expectError(await use(id), "invalid_parameter");
    expect(message).toBe(
      await expectError(await use(`upload_${"0".repeat(24)}`), "invalid_parameter"),
    );
    expect((await owner.runUrl("pipeline/file-inspect", id)).status).toBe("completed");
  });
});

describe("a signed URL gives access to one file until it expires:", () => {
  const swap = (url: string, from: string, to: string) => url.replace(from, to);
  it.each([
    ["another job id", (mine: string) => swap(mine, job.id, second.id)],
    ["a job id that does not exist", (mine: string) => swap(mine, job.id, noJob)],
    [
      "a later expiry",
      (mine: string) => mine.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 1}`),
    ],
    ["no expiry", (mine: string) => mine.replace(/expires=\d+/, "expires=Infinity")],
    ["no signature", (mine: string) => mine.replace(/&signature=.*/, "")],
    ["half a signature", (mine: string) => mine.slice(0, -32)],
    ["a longer signature", (mine: string) => `${mine}00`],
    ["two signatures", (mine: string) => mine.replace("&signature=", "&signature=0&signature=")],
    [
      "a signature in upper case",
      (mine: string) => mine.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase()),
    ],
  ])("rejects %s", async (_name, alter) => {
    const [mine = ""] = job.outputs.map((output) => output.url);
    const altered = alter(mine);
    expect(altered).not.toBe(mine);
    await expectError(await fetch(altered), "forbidden");
  });

  it("rejects an upload with another signature", async () => {
    const created = await owner.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    const { id, url } = (await created.json()) as { id: string; url: string };
    const again = await owner.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    const next = (await again.json()) as { id: string };
    const { search } = new URL(job.outputs[0]?.url ?? "");
    for (const foreign of [url.replace(id, next.id), url.replace(/\?.*/, search)]) {
      await expectError(await fetch(foreign, { method: "PUT", body: "hello" }), "forbidden");
    }
  });
});
