import { beforeEach, expect, inject, it } from "vitest";
import { createApiKey } from "#lib/auth/api-keys.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { statusError, timeLimitReached } from "#lib/gotenberg/base/errors.ts";
import { parseSettings } from "#lib/gotenberg/base/settings.ts";
import { downloadFiles } from "#lib/gotenberg/form/download-files.ts";
import { handleGotenberg } from "#lib/gotenberg/handle.ts";
import { countRejected } from "#lib/gotenberg/run/count-rejected.ts";
import { readRateState } from "#lib/quotas/rate-limit.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** What requests of Gotenberg's clients may cost. */

let account: Account;
let key: string;

beforeEach(async () => {
  account = await makeAccount("free");
  key = (await createApiKey(account.id)).apiKey;
});

function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, text] of Object.entries(fields)) body.append(name, text);
  const init = { method: "POST", body, headers: { "X-API-Key": key, ...headers } };
  return handleGotenberg(new Request("http://localhost/forms/pdfengines/merge", init), "main");
}

const countRemaining = async () => (await readRateState(account)).remaining;

it("the fields of a form have at most 1 MiB in total", async () => {
  const text = "x".repeat(400_000);
  expect((await post({ a: text, b: text })).status).toBe(400);
  expect((await post({ a: text, b: text, c: text })).status).toBe(413);
});

it("rejected requests count against the rate, and so do those for a webhook", async () => {
  const before = await countRemaining();
  expect((await post({ a: "b" })).status).toBe(400);
  expect(await countRemaining()).toBe(before - 1);
  const hook = `http://127.0.0.1:${inject("hostPort")}/hook/rejected-${account.id}/200`;
  const webhook = { "Gotenberg-Webhook-Url": hook, "Gotenberg-Webhook-Error-Url": hook };
  expect((await post({ a: "b" }, webhook)).status).toBe(204);
  await waitUntil(async () => (await countRemaining()) === before - 2);
  const missing = [{ url: `http://127.0.0.1:${inject("hostPort")}/none` }];
  expect((await post({ downloadFrom: JSON.stringify(missing) })).status).toBe(400);
  expect(await countRemaining()).toBe(before - 3);
});

it("a rejected request that cannot be counted keeps its error", async () => {
  const deleted = { ...account, id: "acc_deleted" };
  await expect(countRejected(deleted, statusError(400))).resolves.toBeUndefined();
});

it("downloads end with the time of the request", async () => {
  const entries = JSON.stringify([{ url: `http://127.0.0.1:${inject("hostPort")}/hang` }]);
  const form = { values: new Map([["downloadFrom", [entries]]]), files: new Map() };
  const target = {
    account,
    keyOf: (number: number) => `inputs/job_1/form-${number}`,
    maxBytes: undefined,
    firstNumber: 0,
    signal: new AbortController().signal,
    endsAt: Date.now() + 200,
  };
  const settings = parseSettings(new Map());
  await expect(downloadFiles(form, target, settings, {})).rejects.toBe(timeLimitReached);
});
