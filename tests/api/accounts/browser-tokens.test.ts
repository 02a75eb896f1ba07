import { hash } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { Client, createClient } from "#tests/service/http/client.ts";
import { unknownReceiver } from "#tests/service/http/requests.ts";
import { createUpload, tus } from "#tests/service/http/uploads.ts";
import { expectError } from "#tests/support/expect-error.ts";

const origin = "https://pages.example";
const operation = "pipeline/file-inspect";
const file = { bytes: "hello", filename: "hello.txt" };

let owner: Awaited<ReturnType<typeof createClient>>;
beforeAll(async () => {
  owner = await createClient();
});

/** A client that sends a token, and `Origin` as a page does. */
class Page extends Client {
  readonly #origin: string | undefined;

  constructor(token: string, from?: string) {
    super(token);
    this.#origin = from;
  }

  override request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#origin !== undefined) headers.set("origin", this.#origin);
    return super.request(path, { ...init, headers });
  }
}

async function createToken(fields: Record<string, unknown> = {}): Promise<string> {
  const response = await owner.postJson("/v1/tokens", { operations: ["pipeline/*"], ...fields });
  expect(response.status).toBe(201);
  const { token } = (await response.json()) as { token: string };
  return token;
}

const openPage = async (fields: Record<string, unknown> = {}) =>
  new Page(await createToken({ origin, ...fields }), origin);

const openApp = async (fields: Record<string, unknown> = {}) => new Page(await createToken(fields));

async function answer(sent: Promise<Response>): Promise<[number, string]> {
  const response = await sent;
  const { error = "" } = (await response.json().catch(() => ({}))) as { error?: string };
  return [response.status, error];
}

const corsOf = ({ headers }: Response) => headers.get("access-control-allow-origin");

it("has the form of a key and ends as asked", async () => {
  const response = await owner.postJson("/v1/tokens", { operations: ["*"], ttl: 3600 });
  const { token, expires_at } = (await response.json()) as { token: string; expires_at: string };
  expect(token).toMatch(/^mm_token_[0-9A-Za-z]{36}$/);
  expect((Date.parse(expires_at) - Date.now()) / 1000).toBeCloseTo(3600, -2);
});

it.each([
  [{}, "`operations` is required"],
  [{ operations: [] }, "`operations` must have at least one operation"],
  [{ operations: ["image/sharpn"] }, "Did you mean `image/sharpen`?"],
  [{ operations: ["*"], ttl: 3601 }, "`ttl`"],
  [{ operations: ["*"], ttl: 0 }, "`ttl`"],
  [{ operations: ["*"], max_jobs: 0 }, "`max_jobs`"],
  [{ operations: ["*"], max_bytes: 0.5 }, "`max_bytes`"],
  [{ operations: ["*"], origin: "https://a.example/path" }, "`origin` must be an origin"],
  [{ operations: ["*"], origin: "null" }, "`origin` must be an origin"],
  [{ operations: ["*"], origin: "*" }, "`origin` must be an origin"],
  [{ operations: ["*"], template: "tpl" }, "`template`"],
])("rejects %j", async (body, message) => {
  const [status, error] = await answer(owner.postJson("/v1/tokens", body));
  expect([status, error]).toEqual([400, expect.stringContaining(message)]);
});

it("is rate-limited by account", async () => {
  const other = await createClient();
  const create = () => other.postJson("/v1/tokens", { operations: ["*"] });
  expect((await create()).status).toBe(201);
  const subject = `browserToken:${hash("sha256", other.id, "base64url")}`;
  await withServiceDatabase(
    (sql) =>
      sql`update attempt_limits set resets_at = now() + interval '120 s' where subject = ${subject}`,
  );
  const response = await create();
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await expectError(response, "rate_limited")).toContain("Use each one until it ends");
});

describe("a page", () => {
  it("uploads, runs an operation, and reads and lists its job", async () => {
    const page = await openPage();
    const created = await page.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    expect([created.status, corsOf(created)]).toEqual([201, origin]);
    const { id, url } = (await created.json()) as { id: string; url: string };
    expect((await fetch(url, { method: "PUT", body: "hello" })).status).toBe(204);
    const accepted = await page.postJson(`/v1/${operation}`, { input: id });
    expect([corsOf(accepted), accepted.headers.get("vary")]).toEqual([origin, "Origin"]);
    const job = await page.finish(accepted);
    expect(job).toMatchObject({ status: "completed", result: { bytes: 5 } });
    const listed = (await (await page.request("/v1/jobs")).json()) as { jobs: Job[] };
    expect(listed.jobs.map((one) => one.id)).toEqual([job.id]);
    // The account sees it as a job of the key that created the token.
    expect((await owner.request(`/v1/jobs/${job.id}`)).status).toBe(200);
  });

  it("learns by a preflight request what it may send", async () => {
    await openPage();
    const preflight = (path: string, from: string) =>
      fetch(`${new URL(path, inject("service").url)}`, {
        method: "OPTIONS",
        headers: { origin: from, "access-control-request-method": "POST" },
      });
    const allowed = await preflight(`/v1/${operation}`, origin);
    expect([allowed.status, corsOf(allowed)]).toEqual([204, origin]);
    expect(allowed.headers.get("access-control-allow-methods")).toContain("POST");
    expect(allowed.headers.get("access-control-allow-headers")).toContain("Authorization");
    expect(corsOf(await preflight(`/v1/${operation}`, "https://other.example"))).toBeNull();
    expect(corsOf(await preflight("/v1/account", origin))).toBeNull();
  });

  it.each([["https://other.example"], ["null"], [undefined]])(
    "of the origin %s cannot use it",
    async (from) => {
      const page = new Page(await createToken({ origin }), from);
      const response = await page.postForm(`/v1/${operation}`, { file });
      expect([response.status, corsOf(response)]).toEqual([403, null]);
      expect(await response.text()).toContain(`only`);
    },
  );

  it("can read that its token has ended", async () => {
    const page = await openPage();
    await withServiceDatabase(
      (sql) => sql`update browser_tokens set expires_at = now() where account_id = ${owner.id}`,
    );
    const response = await page.request("/v1/jobs");
    expect([response.status, corsOf(response)]).toEqual([401, origin]);
    expect(await response.text()).toContain("expired");
  });

  it("of a key gets no CORS headers", async () => {
    const page = new Page(owner.key, origin);
    expect(corsOf(await page.request("/v1/jobs?limit=1"))).toBeNull();
  });

  it("of any origin can read why an upload by tus was rejected", async () => {
    const page = new Page("mm_live_wrong", "https://any.example");
    const headers = { ...tus, "upload-length": "4" };
    const response = await page.request("/v1/uploads/tus", { method: "POST", headers });
    expect([response.status, corsOf(response)]).toEqual([401, "*"]);
  });
});

describe("a token is refused", () => {
  it("other operations, alone and in a chain", async () => {
    const app = await openApp();
    const message = "This browser token is not for image/sharpen, only for: pipeline/*.";
    expect(await answer(app.postForm("/v1/image/sharpen", { file }))).toEqual([403, message]);
    const operations = [{ type: "pipeline/strip-metadata" }, { type: "image/sharpen" }];
    const input = "https://example.com/a.png";
    expect(await answer(app.postJson("/v1/jobs", { input, operations }))).toEqual([403, message]);
  });

  it.each([
    ["webhook_url", { webhook_url: unknownReceiver }, 403],
    ["a connection as input", { input: `conn_${"0".repeat(24)}:a.txt` }, 400],
    ["a connection as output", { output: { connection: `conn_${"0".repeat(24)}` } }, 400],
  ])("%s", async (_, fields, status) => {
    const app = await openApp();
    const body = { input: "https://example.com/a.txt", ...fields };
    expect((await answer(app.postJson(`/v1/${operation}`, body)))[0]).toBe(status);
  });

  it.each([
    ["GET", "/v1/account"],
    ["GET", "/v1/usage"],
    ["GET", "/v1/connections"],
    ["GET", "/v1/webhooks/endpoints"],
    ["GET", "/v1/events"],
    ["DELETE", "/v1/account/key"],
    ["POST", "/v1/tokens"],
  ])("%s %s", async (method, path) => {
    const app = await openApp();
    expect((await answer(app.request(path, { method })))[0]).toBe(403);
  });

  it("what others created", async () => {
    const [app, other] = await Promise.all([openApp(), openApp()]);
    const jobs = await Promise.all([owner.run(operation, file), other.run(operation, file)]);
    for (const { id } of jobs) {
      for (const [path, method] of [
        [`/v1/jobs/${id}`, "GET"],
        [`/v1/jobs/${id}/events`, "GET"],
        [`/v1/jobs/${id}/cancel`, "POST"],
        [`/v1/jobs/${id}`, "DELETE"],
      ] as const) {
        expect((await app.request(path, { method })).status).toBe(404);
      }
    }
    const after = app.request(`/v1/jobs?starting_after=${jobs[0]?.id}`);
    expect((await answer(after))[0]).toBe(400);
    const upload = await createUpload(other, { bytes: 5, method: "put" });
    await fetch(upload.url, { method: "PUT", body: "hello" });
    expect((await app.request(`/v1/uploads/${upload.id}`)).status).toBe(404);
    const taken = app.postJson(`/v1/${operation}`, { input: upload.id });
    expect((await answer(taken))[0]).toBe(403);
  });

  it("the job of another caller by the same Idempotency-Key", async () => {
    const [app, other] = await Promise.all([openApp(), openApp()]);
    const send = async (client: Client) => {
      const sent = await client.postForm(`/v1/${operation}`, { file }, { "idempotency-key": "1" });
      return ((await sent.json()) as Job).id;
    };
    const ids = [await send(app), await send(app), await send(other), await send(owner)];
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe(ids[1]);
  });

  it("more jobs than it may create; rejected requests do not count", async () => {
    const app = await openApp({ max_jobs: 2 });
    expect((await app.postForm(`/v1/${operation}`, { file, nothing: "1" })).status).toBe(400);
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => app.postForm(`/v1/${operation}`, { file })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([202, 202, 403, 403, 403]);
    const refused = sent.find(({ status }) => status === 403);
    expect(await refused?.text()).toContain("its 2 jobs");
  });

  it("another job before its file is received, but a repeated request gets its job again", async () => {
    const app = await openApp({ max_jobs: 1 });
    const once = () => app.postForm(`/v1/${operation}`, { file }, { "Idempotency-Key": "once" });
    const [first, again] = [await once(), await once()];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(await again.json()).toMatchObject({ id: ((await first.json()) as Job).id });
    const refused = await app.request(`/v1/${operation}`, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: new ReadableStream({
        start: (form) => form.enqueue(new TextEncoder().encode("--b\r\n")),
      }),
      duplex: "half",
    } as RequestInit);
    const message = expect.stringContaining("its only job");
    expect([refused.status, await refused.text()]).toEqual([403, message]);
  });

  it("an endless file under a new Idempotency-Key once it has no jobs left", async () => {
    const app = await openApp({ max_jobs: 1 });
    expect((await app.postForm(`/v1/${operation}`, { file })).status).toBe(202);
    const refused = await app.request(`/v1/${operation}`, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b", "Idempotency-Key": "new" },
      body: new ReadableStream({
        start: (form) => form.enqueue(new TextEncoder().encode("--b\r\n")),
      }),
      duplex: "half",
    } as RequestInit);
    expect(refused.status).toBe(403);
  });

  it("more uploads than its jobs can need, and the account keeps its own", async () => {
    const app = await openApp({ max_jobs: 1 });
    const body = { filename: "a.txt", bytes: 1 };
    const sent = [];
    for (let count = 0; count < 21; count++) sent.push(await app.postJson("/v1/uploads", body));
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(20);
    const message = expect.stringContaining("This browser token allows 20 uploads");
    expect([sent[20]?.status, await sent[20]?.json()]).toEqual([
      429,
      expect.objectContaining({ error: message }),
    ]);
    expect((await owner.postJson("/v1/uploads", body)).status).toBe(201);
  });

  it("requests of Gotenberg's API", async () => {
    const app = await openApp({ operations: ["*"] });
    const body = new FormData();
    body.append("files", new File(["<p>Hi"], "index.html"));
    const sent = await app.request("/forms/chromium/convert/html", { method: "POST", body });
    expect(sent.status).toBe(401);
  });

  it("larger files, by form, upload and URL", async () => {
    const app = await openApp({ max_bytes: 4 });
    const tooLarge = "The file is larger than the 4 bytes that the browser token allows.";
    expect(await answer(app.postForm(`/v1/${operation}`, { file }))).toEqual([413, tooLarge]);
    const body = { filename: "a.txt", bytes: 5 };
    expect(await answer(app.postJson("/v1/uploads", body))).toEqual([413, tooLarge]);
    const job = await app.runUrl(operation, `${inject("host").url}/endless`);
    expect([job.error_code, job.error]).toEqual(["too_large", tooLarge]);
  });
});

it("ends with the key that created it", async () => {
  const other = await createClient();
  const created = await other.postJson("/v1/tokens", { operations: ["*"] });
  const { token } = (await created.json()) as { token: string };
  const app = new Page(token);
  expect((await app.request("/v1/jobs")).status).toBe(200);
  const stream = await app.request(`/v1/jobs/${(await app.run(operation, file)).id}`);
  expect(stream.status).toBe(200);
  await other.request("/v1/account/key", { method: "DELETE" });
  expect((await app.request("/v1/jobs")).status).toBe(401);
});
