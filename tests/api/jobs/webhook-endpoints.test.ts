import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import type { ReceivedWebhook } from "#tests/servers/webhook-receiver.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

const base = "/v1/webhooks/endpoints";
const file = { bytes: "hello", filename: "a.txt" };
let client: Client;
let hooks = 0;

beforeEach(async () => {
  client = await createClient();
});

/** A receiver that returns the given statuses in turn, and then repeats the last one. */
const receiver = (...statuses: number[]) =>
  `${inject("host").url}/hook/endpoint-${process.pid}-${++hooks}/${statuses.join("-")}`;

async function readReceived(url: string): Promise<ReceivedWebhook[]> {
  return (await (await fetch(url)).json()) as ReceivedWebhook[];
}

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly failing_since: string | null;
  readonly disabled_reason: string | null;
}

interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Job;
}

async function create(
  url: string,
  events: readonly string[],
  more: object = {},
): Promise<Endpoint> {
  const response = await client.postJson(base, { url, events, ...more });
  expect(response.status).toBe(201);
  return (await response.json()) as Endpoint;
}

const read = async (id: string) =>
  (await (await client.request(`${base}/${id}`)).json()) as Endpoint;

const change = (id: string, body: object) =>
  client.request(`${base}/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const post = (path: string, one = client) => one.request(path, { method: "POST" });

/** The events that a receiver got, verified with the secret. */
async function readEvents(url: string, secret: string): Promise<Event[]> {
  const received = await readReceived(url);
  return received.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as Event);
}

async function waitForEvents(url: string, secret: string, count: number): Promise<Event[]> {
  await until(async () => (await readReceived(url)).length >= count, 20_000);
  return readEvents(url, secret);
}

describe("an endpoint", () => {
  it("is created with a secret that is shown once, listed, changed and deleted", async () => {
    const url = receiver(200);
    const created = await create(url, ["job.*", "upload.completed", "job.*"], {
      description: "Orders",
    });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^we_[0-9A-Za-z]{24}$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      url,
      description: "Orders",
      events: ["job.*", "upload.completed"],
      enabled: true,
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
    });
    const { secret, ...endpoint } = created;
    expect(secret).not.toBe("");
    expect(await read(created.id)).toEqual(endpoint);
    const second = await create(receiver(200), ["*"]);
    const list = await (await client.request(base)).json();
    expect(list).toMatchObject({ data: [{ id: second.id }, { id: created.id }] });
    expect(JSON.stringify(list)).not.toContain("whsec_");
    const changed = await change(created.id, { events: ["job.failed"], description: "" });
    expect(await changed.json()).toEqual({ ...endpoint, events: ["job.failed"], description: "" });
    expect((await change(created.id, {})).status).toBe(200);
    const disabled = await (await change(created.id, { enabled: false })).json();
    expect(disabled).toMatchObject({ enabled: false, disabled_reason: "owner" });
    const deleted = await client.request(`${base}/${created.id}`, { method: "DELETE" });
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    await expectError(await client.request(`${base}/${created.id}`), "not_found");
  });

  it("gets each event of a job that it has chosen once, next to the job's own webhook_url", async () => {
    const [all, ends, own] = [receiver(200), receiver(200), receiver(200)];
    const { secret } = await create(all, ["job.*"]);
    const other = await create(ends, ["job.completed"]);
    const job = await client.run("pipeline/file-inspect", file, { webhook_url: own });
    const events = await waitForEvents(all, secret, 3);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      "job.completed",
      "job.created",
      "job.started",
    ]);
    for (const { data } of events) expect(data.id).toBe(job.id);
    const ended = events.find(({ type }) => type === "job.completed");
    expect(ended?.data).toMatchObject({
      status: "completed",
      outputs: job.outputs.map(() => ({})),
    });
    expect(await waitForEvents(ends, other.secret, 1)).toMatchObject([{ type: "job.completed" }]);
    await until(async () => (await readReceived(own)).length === 1, 20_000);
    const ids = [all, ends, own].map(async (url) =>
      (await readReceived(url)).map(({ headers }) => headers["webhook-id"]),
    );
    expect(new Set((await Promise.all(ids)).flat()).size).toBe(5);
    // The attempt is recorded after the receiver's response.
    const delivery = { endpoint: other.id, job: job.id, type: "job.completed" };
    await expect
      .poll(
        async () => (await client.request(`/v1/webhooks/deliveries?endpoint=${other.id}`)).json(),
        { timeout: 20_000 },
      )
      .toMatchObject({ deliveries: [{ ...delivery, status: "delivered" }] });
  });

  it("gets a test event, also while it is disabled", async () => {
    const url = receiver(200);
    const { id, secret } = await create(url, ["job.failed"]);
    await change(id, { enabled: false });
    const response = await post(`${base}/${id}/test`);
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ endpoint: id, type: "test", url });
    expect(await waitForEvents(url, secret, 1)).toMatchObject([{ type: "test", data: {} }]);
  });

  it("is retried like every webhook, under the same id", async () => {
    const url = receiver(500, 200);
    await create(url, ["job.completed"]);
    await client.run("pipeline/file-inspect", file);
    await until(async () => (await readReceived(url)).length === 2, 20_000);
    const [first, second] = await readReceived(url);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4800);
  });

  it("that answers 410 is disabled at once, and the others are informed", async () => {
    const watched = receiver(200);
    const watcher = await create(watched, ["endpoint.disabled"]);
    const { id } = await create(receiver(410), ["job.created"], { description: "Old" });
    await client.run("pipeline/file-inspect", file);
    await until(async () => !(await read(id)).enabled, 20_000);
    expect(await read(id)).toMatchObject({ enabled: false, disabled_reason: "gone" });
    const [event] = await waitForEvents(watched, watcher.secret, 1);
    expect(event).toMatchObject({
      type: "endpoint.disabled",
      data: { id, description: "Old", reason: "gone", events: ["job.created"] },
    });
    expect(await (await change(id, { enabled: true })).json()).toMatchObject({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
    });
  });

  it("gets upload.completed when the file of an upload is received", async () => {
    const url = receiver(200);
    const { secret } = await create(url, ["upload.*"]);
    const created = await client.postJson("/v1/uploads", { filename: "a.txt", bytes: 5 });
    const upload = (await created.json()) as { readonly id: string; readonly url: string };
    expect((await fetch(upload.url, { method: "PUT", body: "hello" })).status).toBe(204);
    expect(await waitForEvents(url, secret, 1)).toMatchObject([
      {
        type: "upload.completed",
        data: {
          id: upload.id,
          filename: "a.txt",
          bytes: 5,
          content_type: "text/plain",
          sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        },
      },
    ]);
  });

  it("has a new secret after a rotation; both sign for a day", async () => {
    const url = receiver(200);
    const { id, secret } = await create(url, ["job.completed"]);
    const rotated = (await (await post(`${base}/${id}/rotate-secret`)).json()) as Endpoint;
    expect(rotated).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.secret).not.toBe(secret);
    await post(`${base}/${id}/test`);
    await waitForEvents(url, secret, 1);
    await waitForEvents(url, rotated.secret, 1);
  });
});

describe("errors", () => {
  it.each([
    [{ events: ["job.*"] }, /^`url` is required: a complete/],
    [{ url: "ftp://example.com", events: ["*"] }, /^`url` must be a complete http or https URL\.$/],
    [{ url: "http://10.0.0.1/", events: ["*"] }, /^`url` must have a public host/],
    [{ url: "https://example.com" }, /^`events` is required: a list/],
    [{ url: "https://example.com", events: [] }, /^`events` must have at least one type/],
    [
      { url: "https://example.com", events: "job.*" },
      /^`events` must be a list of types of events: job\.created, /,
    ],
    [{ url: "https://example.com", events: ["job.done"] }, /^`events/],
    [
      { url: "https://example.com", events: ["*"], description: "a".repeat(201) },
      /^`description` must be at most 200/,
    ],
    [
      { url: "https://example.com", events: ["*"], description: "\0" },
      /^`description` must not contain/,
    ],
    [{ url: "https://example.com", events: ["*"], secret: "whsec_mine" }, /secret/],
  ])("%j is rejected", async (body, message) => {
    expect(await expectError(await client.postJson(base, body), "invalid_parameter")).toMatch(
      message,
    );
    expect(await (await client.request(base)).json()).toEqual({ data: [] });
  });

  it("a change to a URL that can get no webhook leaves the endpoint as it was", async () => {
    const { id, url } = await create("https://example.com/hook", ["*"]);
    await expectError(await change(id, { url: "http://169.254.169.254/" }), "invalid_parameter");
    await expectError(await change(id, { enabled: "no" }), "invalid_parameter");
    expect(await read(id)).toMatchObject({ url, enabled: true });
  });

  it("an endpoint of another account does not exist", async () => {
    const { id } = await create("https://example.com/hook", ["*"]);
    const other = await createClient();
    const json = { "content-type": "application/json" };
    const responses = [
      other.request(`${base}/${id}`),
      other.request(`${base}/${id}`, { method: "PATCH", headers: json, body: "{}" }),
      other.request(`${base}/${id}`, { method: "DELETE" }),
      post(`${base}/${id}/test`, other),
      post(`${base}/${id}/rotate-secret`, other),
    ];
    for (const response of responses) {
      expect(await expectError(await response, "not_found")).toBe(
        "No webhook endpoint with this id exists.",
      );
    }
    expect(await (await other.request(base)).json()).toEqual({ data: [] });
    expect((await read(id)).enabled).toBe(true);
  });

  it("there are at most 50, also if they are made at the same time", async () => {
    const body = { url: "https://example.com/hook", events: ["job.completed"] };
    const made = await Promise.all(Array.from({ length: 53 }, () => client.postJson(base, body)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    for (const response of made.filter(({ status }) => status !== 201)) {
      expect(await expectError(response, "conflict")).toMatch(/at most 50 webhook endpoints/);
    }
  });
});
