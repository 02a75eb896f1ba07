import { expect, it } from "vitest";
import { createResponseDelay } from "#lib/api/endpoints/hooks/response-delays.ts";

const never = new AbortController().signal;
const seconds = 0.05;

/** How long each of these waits, in milliseconds. */
function measure(waits: readonly Promise<void>[]): Promise<number[]> {
  const start = performance.now();
  return Promise.all(waits.map((wait) => wait.then(() => performance.now() - start)));
}

const waited = (ms: number) => ms > 40;

it("at most so many responses wait, per account and in total; the others do not wait", async () => {
  const delay = createResponseDelay({ perAccount: 2, perProcess: 3 });
  const accounts = ["a", "a", "a", "b", "b"];
  const times = await measure(accounts.map((account) => delay(account, seconds, never)));
  expect(times.map(waited)).toEqual([true, true, false, true, false]);
  const again = await measure(accounts.slice(0, 2).map((one) => delay(one, seconds, never)));
  expect(again.map(waited)).toEqual([true, true]);
  expect((await measure([delay("a", 0, never)])).map(waited)).toEqual([false]);
});

it("a client that disconnects does not keep its place", async () => {
  const delay = createResponseDelay({ perAccount: 1, perProcess: 1 });
  const client = new AbortController();
  const abandoned = delay("a", 60, client.signal);
  client.abort();
  await abandoned;
  expect((await measure([delay("a", seconds, never)])).map(waited)).toEqual([true]);
});
