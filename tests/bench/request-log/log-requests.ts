import { setImmediate as yieldTurn } from "node:timers/promises";
import { recordRequest } from "#lib/api/request-log/request-log.ts";
import { createAccount } from "#lib/auth/accounts.ts";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { db, disconnect } from "#lib/db/client.ts";
import { listRequests } from "#lib/db/queries/requests/lists.ts";
import { createId } from "#lib/ids.ts";
import { finishWork } from "#lib/stopping.ts";

/** Prints, as JSON, the milliseconds of CPU time that the log takes per request in each round. */
const rounds = 5;
const requests = 4000;

/** Requests between two turns of the event loop, in which batches are sent. */
const burst = 20;

const account = await createAccount({ email: `bench-${createId("acc")}@example.com` });
if (!account) throw new Error("the account was not created");
const { keyId: apiKeyId } = await createApiKey(account.id);
const caller = { account, apiKeyId };
const url = "http://127.0.0.1:3000/v1/image/resize";

function record(): void {
  const request = new Request(url, { headers: { "x-forwarded-for": "192.0.2.1" } });
  const fields = { input: "https://example.com/photo.jpg?size=large", width: 640, fit: "cover" };
  const body = { encoding: "json", fields } as const;
  const context = { request, requestId: createId("req"), url: new URL(url) };
  const response = new Response(null, { status: 202 });
  const handled = { startedAt: Date.now() - 5, job: createId("job") };
  recordRequest("POST", { ...context, record: { caller, body } }, response, handled);
}

async function runRound(): Promise<number> {
  const start = process.cpuUsage();
  for (let sent = 0; sent < requests; sent++) {
    record();
    if (sent % burst === 0) await yieldTurn();
  }
  await finishWork();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / requests;
}

await runRound();
const values: number[] = [];
for (let round = 0; round < rounds; round++) values.push(await runRound());
const { hasMore } = await listRequests(db(), account.id, {}, { limit: requests * rounds });
if (!hasMore) throw new Error("requests are missing in the log");
await disconnect();
process.stdout.write(JSON.stringify(values));
