import { expect, test } from "vitest";
import { AccountSlots } from "#lib/api/http/slots/account-slots.ts";

const create = (maxWaiting = 0) =>
  new AccountSlots({ max: 2, maxWaiting, message: "Too many.", retryAfterSeconds: 7 });
const { signal } = new AbortController();
const rejection = { code: "rate_limited", message: "Too many.", headers: { "Retry-After": "7" } };

test("an account has a limited number of slots, and gets one back once", () => {
  const slots = create();
  const release = slots.take("a");
  slots.take("a");
  expect(() => slots.take("a")).toThrow(expect.objectContaining(rejection));
  slots.take("b");
  release();
  release();
  slots.take("a");
  expect(() => slots.take("a")).toThrow(expect.objectContaining(rejection));
});

test("requests wait in order, a limited number of them", async () => {
  const slots = create(2);
  const first = slots.take("a");
  const second = slots.take("a");
  const order: string[] = [];
  const third = slots.wait("a", signal).then((release) => {
    order.push("third");
    return release;
  });
  const fourth = slots.wait("a", signal).then(() => order.push("fourth"));
  await expect(slots.wait("a", signal)).rejects.toMatchObject(rejection);
  expect(order).toEqual([]);
  second();
  (await third)();
  await fourth;
  expect(order).toEqual(["third", "fourth"]);
  first();
  slots.take("a");
  expect(() => slots.take("a")).toThrow();
});

test("a request whose client has disconnected no longer waits", async () => {
  const slots = create(1);
  const first = slots.take("a");
  slots.take("a");
  const controller = new AbortController();
  const left = slots.wait("a", controller.signal);
  controller.abort();
  await expect(left).rejects.toMatchObject(rejection);
  const next = slots.wait("a", signal);
  first();
  await next;
  await expect(slots.wait("a", controller.signal)).rejects.toMatchObject(rejection);
});
