import { describe, expect, it } from "vitest";
import { DeliveryLanes } from "#lib/jobs/runner/fair-queue.ts";

const limits = { receiver: 2, account: 3 };

/** Lanes with deliveries written as `account host number`. */
function lanesWith(...ids: string[]): DeliveryLanes {
  const lanes = new DeliveryLanes(limits);
  for (const id of ids) {
    const [accountId = "", host] = id.split(" ");
    lanes.add({ id, accountId, url: `http://${host}/hook` });
  }
  return lanes;
}

function takeAll(lanes: DeliveryLanes) {
  const taken = [];
  for (let next = lanes.take(); next; next = lanes.take()) taken.push(next);
  return taken;
}

const idsOf = (taken: readonly { id: string }[]) => taken.map(({ id }) => id);

describe("waiting deliveries", () => {
  it("take turns by receiver", () => {
    const lanes = lanesWith("a x 1", "a x 2", "b y 1", "b y 2");
    expect(idsOf(takeAll(lanes))).toEqual(["a x 1", "b y 1", "a x 2", "b y 2"]);
  });

  it("go to one receiver only so many at once, and on as soon as one has ended", () => {
    const lanes = lanesWith("a x 1", "a x 2", "a x 3", "b x 1");
    const taken = takeAll(lanes);
    expect(idsOf(taken)).toEqual(["a x 1", "b x 1", "a x 2"]);
    taken[0]?.done();
    expect(idsOf(takeAll(lanes))).toEqual(["a x 3"]);
  });

  it("are at work for one account only so many at once, whatever their receivers", () => {
    const lanes = lanesWith("a v 1", "a w 1", "a x 1", "a y 1", "b z 1");
    const taken = takeAll(lanes);
    expect(idsOf(taken)).toEqual(["a v 1", "a w 1", "a x 1", "b z 1"]);
    taken[1]?.done();
    expect(idsOf(takeAll(lanes))).toEqual(["a y 1"]);
  });

  it("are there once, until their attempt has ended", () => {
    const lanes = lanesWith("a x 1");
    const again = { id: "a x 1", accountId: "a", url: "http://x/" };
    expect(lanes.add(again)).toBe(false);
    const [taken] = takeAll(lanes);
    expect(lanes.add(again)).toBe(false);
    taken?.done();
    expect(lanes.add(again)).toBe(true);
  });
});
