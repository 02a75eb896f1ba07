import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { HeldMessages } from "#lib/queue/held-messages.ts";
import type { JobMessage } from "#lib/queue/port.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** Longer than a message is held back. */
const heldMs = 600;

const message = (jobId: string): JobMessage => ({
  jobId,
  accountId: "acct_1",
  plan: "free",
  stage: "run",
  dedupeKey: "run-0",
  delaySeconds: 0,
});

/** Messages for runners with `slots` slots that have no run. */
function setUp(slots: number) {
  const state = { slots, isAvailable: true, sent: [] as string[] };
  const held = new HeldMessages({
    countSlots: async () => state.slots,
    send: async (messages) => {
      if (state.isAvailable) state.sent.push(...messages.map(({ jobId }) => jobId));
      return state.isAvailable;
    },
  });
  const addAll = (...ids: string[]) => Promise.all(ids.map((id) => held.add(message(id))));
  return { state, held, addAll };
}

it("a burst of jobs brings as many messages as slots have no run", async () => {
  const { state, addAll } = setUp(2);
  expect(await addAll("a", "b", "c", "d")).toEqual([true, true, true, true]);
  expect(state.sent).toEqual(["a", "b"]);
  state.slots = 0;
  await wait(heldMs);
  expect(state.sent).toEqual(["a", "b"]);
});

it("messages that were held back are sent while slots still have no run", async () => {
  const { state, addAll } = setUp(1);
  await addAll("a", "b", "c");
  await waitUntil(() => state.sent.length === 2);
  expect(state.sent).toEqual(["a", "b"]);
  await waitUntil(() => state.sent.length === 3);
  await wait(heldMs);
  expect(state.sent).toEqual(["a", "b", "c"]);
});

it("without a runner, each job brings a message", async () => {
  const { state, addAll } = setUp(Number.POSITIVE_INFINITY);
  await addAll("a", "b", "c");
  expect(state.sent).toEqual(["a", "b", "c"]);
});

it("after a message that could not be sent, the next job tries again", async () => {
  const { state, held } = setUp(1);
  state.isAvailable = false;
  expect(await held.add(message("a"))).toBe(false);
  expect(await held.add(message("b"))).toBe(false);
  state.isAvailable = true;
  expect(await held.add(message("c"))).toBe(true);
  expect(state.sent).toEqual(["c"]);
});

it("what is held back is sent at the end of the process", async () => {
  const { state, held, addAll } = setUp(1);
  await addAll("a", "b", "c");
  await held.flush();
  expect(state.sent).toEqual(["a", "b", "c"]);
  await wait(heldMs);
  expect(state.sent).toEqual(["a", "b", "c"]);
});
