import { expect, it } from "vitest";
import { type LockMode, SharedExclusiveLock } from "#lib/jobs/runner/shared-exclusive-lock.ts";

/** Lets every resolved promise run its callbacks. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("an exclusive holder waits for all shared ones and blocks later requests", async () => {
  const lock = new SharedExclusiveLock();
  const order: string[] = [];
  const acquire = async (name: string, mode: LockMode) => {
    const release = await lock.acquire(mode);
    order.push(name);
    return release;
  };
  const releases = [await acquire("a", "shared"), await acquire("b", "shared")];
  const [exclusive, later] = [acquire("exclusive", "exclusive"), acquire("later", "shared")];
  releases[0]?.();
  await settled();
  expect(order).toEqual(["a", "b"]);
  releases[1]?.();
  const release = await exclusive;
  await settled();
  expect(order).toEqual(["a", "b", "exclusive"]);
  release();
  (await later)();
  expect(order).toEqual(["a", "b", "exclusive", "later"]);
});
