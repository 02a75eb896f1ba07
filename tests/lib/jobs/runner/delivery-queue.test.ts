import { describe, expect, it } from "vitest";
import { DeliveryQueue } from "#lib/jobs/runner/delivery-queue.ts";

const limits = { endpoint: 2, host: 3, account: 4 };

/** A queue with deliveries written as `account host/path number`. */
function queueWith(...ids: string[]): DeliveryQueue {
  const queue = new DeliveryQueue(limits);
  for (const id of ids) {
    const [accountId = "", host] = id.split(" ");
    queue.add({ id, accountId, url: `http://${host}` });
  }
  return queue;
}

function takeAll(queue: DeliveryQueue) {
  const taken = [];
  for (let next = queue.take(); next; next = queue.take()) taken.push(next);
  return taken;
}

const idsOf = (taken: readonly { id: string }[]) => taken.map(({ id }) => id);

describe("waiting deliveries", () => {
  it("endpoints take turns", () => {
    const queue = queueWith("a x 1", "a x 2", "b y 1", "b y 2");
    expect(idsOf(takeAll(queue))).toEqual(["a x 1", "b y 1", "a x 2", "b y 2"]);
  });

  it("attempts to one endpoint are limited; the next one starts when one ends", () => {
    const queue = queueWith("a x 1", "a x 2", "a x 3", "b x 1");
    const taken = takeAll(queue);
    expect(idsOf(taken)).toEqual(["a x 1", "b x 1", "a x 2"]);
    taken[0]?.done();
    expect(idsOf(takeAll(queue))).toEqual(["a x 3"]);
  });

  it("an endpoint that hangs delays neither other paths of its host nor other accounts", () => {
    const queue = queueWith("a x/1 1", "a x/1 2", "a x/1 3", "a x/2 1", "b x/1 1", "b x/1 2");
    const taken = idsOf(takeAll(queue));
    expect(taken.toSorted()).toEqual(["a x/1 1", "a x/1 2", "a x/2 1", "b x/1 1", "b x/1 2"]);
  });

  it("a host that hangs under many URLs delays no other host of the account", () => {
    const queue = queueWith("a x/1 1", "a x/2 1", "a x/3 1", "a x/4 1", "a y/1 1", "b x/1 1");
    const taken = takeAll(queue);
    expect(idsOf(taken)).toEqual(["a x/1 1", "a x/2 1", "a x/3 1", "a y/1 1", "b x/1 1"]);
    taken[0]?.done();
    expect(idsOf(takeAll(queue))).toEqual(["a x/4 1"]);
  });

  it("attempts of one account are limited, to any endpoints", () => {
    const queue = queueWith("a u 1", "a v 1", "a w 1", "a x 1", "a y 1", "b z 1");
    const taken = takeAll(queue);
    expect(idsOf(taken)).toEqual(["a u 1", "a v 1", "a w 1", "a x 1", "b z 1"]);
    taken[1]?.done();
    expect(idsOf(takeAll(queue))).toEqual(["a y 1"]);
  });

  it("a delivery is queued only once until its attempt has ended", () => {
    const queue = queueWith("a x 1");
    const again = { id: "a x 1", accountId: "a", url: "http://x" };
    expect(queue.add(again)).toBe(false);
    const [taken] = takeAll(queue);
    expect(queue.add(again)).toBe(false);
    taken?.done();
    expect(queue.add(again)).toBe(true);
  });
});
