import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openEvents } from "#components/jobs/follow/open-events.ts";

/** The browser's class as it is after an error response. */
class FailedSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FailedSource[] = [];
  readonly readyState = FailedSource.CLOSED;
  close() {}
  constructor() {
    super();
    FailedSource.opened.push(this);
    setTimeout(() => this.dispatchEvent(new Event("error")));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FailedSource);
  FailedSource.opened = [];
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const respond = (status: number) =>
  vi.stubGlobal("fetch", async () => new Response(null, { status }));

it.each([401, 403, 404, 410])("events are not requested again after status %i", async (status) => {
  respond(status);
  const onEnd = vi.fn();
  openEvents("/events", "job", () => {}, onEnd);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(FailedSource.opened).toHaveLength(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

it("after another error, events are requested again, each time later, until they are closed", async () => {
  respond(502);
  const data: string[] = [];
  const close = openEvents("/events", "job", (text) => data.push(text));
  // After 5, 10, 20 and 40 seconds, then every minute.
  await vi.advanceTimersByTimeAsync(76_000);
  expect(FailedSource.opened).toHaveLength(5);
  await vi.advanceTimersByTimeAsync(121_000);
  expect(FailedSource.opened).toHaveLength(7);
  FailedSource.opened.at(-1)?.dispatchEvent(new MessageEvent("job", { data: "{}" }));
  expect(data).toEqual(["{}"]);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));
  await vi.advanceTimersByTimeAsync(60_000);
  const before = FailedSource.opened.length;
  await vi.advanceTimersByTimeAsync(5000);
  expect(FailedSource.opened.length).toBeGreaterThan(before);
  close();
  const last = FailedSource.opened.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(FailedSource.opened).toHaveLength(last);
});
