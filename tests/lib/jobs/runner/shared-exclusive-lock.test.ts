import { expect, it } from "vitest";
import { Room } from "#lib/jobs/runner/shared-exclusive-lock.ts";

/** Lets everything that is ready happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("one that must be alone waits for all others, and holds back those who come later", async () => {
  const room = new Room();
  const order: string[] = [];
  const enter = async (name: string, alone: boolean) => {
    const leave = await room.enter(alone);
    order.push(name);
    return leave;
  };
  const leaves = [await enter("a", false), await enter("b", false)];
  const [alone, later] = [enter("alone", true), enter("later", false)];
  leaves[0]?.();
  await settled();
  expect(order).toEqual(["a", "b"]);
  leaves[1]?.();
  const leave = await alone;
  await settled();
  expect(order).toEqual(["a", "b", "alone"]);
  leave();
  (await later)();
  expect(order).toEqual(["a", "b", "alone", "later"]);
});
