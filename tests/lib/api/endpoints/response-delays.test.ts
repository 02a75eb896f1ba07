import { expect, it } from "vitest";
import { createResponseDelay } from "#lib/api/endpoints/hooks/response-delays.ts";

const never = new AbortController().signal;
const seconds = 0.5;

/** Which of these have waited. Resolves when all have ended. */
async function listWaiting(delays: readonly Promise<void>[]): Promise<boolean[]> {
  const waited = delays.map(() => true);
  const ended = delays.map((delay, index) =>
    delay.then(() => {
      waited[index] = false;
    }),
  );
  // A delay that does not wait has ended then.
  await new Promise(setImmediate);
  const result = [...waited];
  await Promise.all(ended);
  return result;
}

it("at most so many responses wait, per account and in total; the others do not wait", async () => {
  const delay = createResponseDelay({ perAccount: 2, perProcess: 3 });
  const accounts = ["a", "a", "a", "b", "b"];
  const delayed = await listWaiting(accounts.map((account) => delay(account, seconds, never)));
  expect(delayed).toEqual([true, true, false, true, false]);
  const again = accounts.slice(0, 2).map((one) => delay(one, seconds, never));
  expect(await listWaiting(again)).toEqual([true, true]);
  expect(await listWaiting([delay("a", 0, never)])).toEqual([false]);
});

it("a client that disconnects does not keep its place", async () => {
  const delay = createResponseDelay({ perAccount: 1, perProcess: 1 });
  const client = new AbortController();
  const abandoned = delay("a", 60, client.signal);
  client.abort();
  await abandoned;
  expect(await listWaiting([delay("a", seconds, never)])).toEqual([true]);
});
