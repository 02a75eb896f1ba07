import { eq, sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { insertWebhookCall } from "#lib/db/queries/requests/gotenberg-webhook-calls.ts";
import { gotenbergWebhookCalls } from "#lib/db/schema/gotenberg/webhook-calls.ts";
import type { CallState, WebhookCall } from "#lib/gotenberg/webhooks/advance.ts";
import { continueCalls } from "#lib/gotenberg/webhooks/deliver.ts";
import { restoreState, storeRequest, storeState } from "#lib/gotenberg/webhooks/stored-call.ts";
import { createId } from "#lib/ids.ts";
import { mediaType } from "#lib/media/types.ts";
import { storage } from "#lib/storage/index.ts";
import type { ReceivedWebhook } from "#tests/servers/webhook-receiver.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** Calls of a process that was killed. */

async function abandonCall(state: (id: string) => CallState, statuses = "200") {
  const { id: accountId } = await makeAccount();
  const id = createId("job");
  const url = (name: string, responses = "200") =>
    `http://127.0.0.1:${inject("hostPort")}/hook/${name}-${id}/${responses}`;
  const call: WebhookCall = {
    id,
    accountId,
    apiKeyId: "key_1",
    requestId: "req_1",
    path: "forms/pdfengines/merge",
    form: { values: new Map(), files: new Map() },
    requested: "whole",
    webhook: {
      url: url("result", statuses),
      method: "POST",
      errorUrl: url("error"),
      errorMethod: "POST",
      eventsUrl: url("events"),
      headers: { authorization: "Bearer secret" },
    },
    correlation: { header: "Gotenberg-Trace", id: "trace-1" },
  };
  const stored = { request: storeRequest(call), state: storeState(id, state(id)) };
  expect(stored.request).not.toContain("secret");
  const values = { id, accountId, holder: "killed", ...stored };
  await insertWebhookCall(db(), values, 3600);
  const received = async (hook: "url" | "errorUrl" | "eventsUrl"): Promise<ReceivedWebhook[]> =>
    (await fetch(call.webhook[hook])).json();
  return { id, received };
}

const expire = (id: string) =>
  db()
    .update(gotenbergWebhookCalls)
    .set({ heldUntil: sql`now() - interval '1 second'` })
    .where(eq(gotenbergWebhookCalls.id, id));

async function read(id: string) {
  const rows = await db()
    .select()
    .from(gotenbergWebhookCalls)
    .where(eq(gotenbergWebhookCalls.id, id));
  return rows[0];
}

it("another process sends the result, with the attempts that are left, and the event", async () => {
  const file = { filename: "x.pdf", type: mediaType("pdf"), bytes: 4, sha256: "" };
  const { id, received } = await abandonCall(
    (call) => ({
      phase: "result",
      attempts: 0,
      outputs: [{ file: { ...file, key: `jobs/${call}/x.pdf` }, name: undefined }],
    }),
    "503-200",
  );
  await storage().write(`jobs/${id}/x.pdf`, Buffer.from("%PDF"));
  await continueCalls();
  expect(await received("url")).toEqual([]);
  await expire(id);
  await Promise.all([continueCalls(), continueCalls()]);
  await waitUntil(async () => {
    const row = await read(id);
    const state = row && restoreState(row);
    return state === undefined || (state.phase === "result" && state.attempts === 1);
  });
  await waitUntil(async () => (await read(id)) === undefined);
  const results = await received("url");
  expect(results.map(({ body }) => body)).toEqual(["%PDF", "%PDF"]);
  expect(results[0]?.headers).toMatchObject({
    authorization: "Bearer secret",
    "content-disposition": 'attachment; filename="whole.pdf"',
    "gotenberg-trace": "trace-1",
  });
  const events = (await received("eventsUrl")).map(({ body }) => JSON.parse(body));
  expect(events).toMatchObject([{ event: "webhook.success", correlationId: "trace-1" }]);
});

it("another process converts again what had no result, and sends the error", async () => {
  const { id, received } = await abandonCall(() => ({ phase: "convert" }));
  await expire(id);
  await continueCalls();
  await waitUntil(async () => (await read(id)) === undefined);
  const bodies = async (hook: "errorUrl" | "eventsUrl") =>
    (await received(hook)).map(({ body }) => JSON.parse(body));
  const error = { status: 400, message: expect.stringContaining("no form file") };
  expect(await bodies("errorUrl")).toEqual([error]);
  expect(await bodies("eventsUrl")).toMatchObject([{ event: "webhook.error", error }]);
});
