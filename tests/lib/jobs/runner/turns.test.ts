import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Turns } from "#lib/jobs/runner/turns.ts";
import type { AvailableWork } from "#lib/queue/work-available.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Simulated {
  readonly count: number;
  /** Ranks of runners without a free engine. */
  readonly busy?: readonly number[];
  /** Ranks of runners without all engines. */
  readonly leaving?: readonly number[];
  /** Ranks of runners that get no notification any more. */
  readonly dead?: readonly number[];
}

/** Runners that get each other's notifications. `looks` has the ranks of those that looked for a job. */
function simulate({ count, busy = [], leaving = [], dead = [] }: Simulated) {
  const looks: number[] = [];
  let notifications = 0;
  const runners = Array.from(
    { length: count },
    (_, rank) =>
      new Turns({
        place: () => ({ rank, count }),
        isFree: () => !busy.includes(rank),
        leavesJobs: () => leaving.includes(rank),
        look: () => looks.push(rank),
        notify: async (work) => {
          notifications++;
          notify(work);
        },
      }),
  );
  function notify(work: Omit<AvailableWork, "kind" | "delaySeconds">): void {
    for (const [rank, one] of runners.entries()) if (!dead.includes(rank)) one.take("run", work);
  }
  const idle = () => looks.filter((rank) => !busy.includes(rank));
  return { notify, idle, passedOn: () => notifications };
}

it("one of many idle runners looks for a new job", () => {
  const { notify, idle, passedOn } = simulate({ count: 64 });
  for (let seed = 0; seed < 640; seed++) notify({ seed });
  const looks = idle();
  expect(looks).toHaveLength(640);
  expect(new Set(looks).size).toBe(64);
  expect(passedOn()).toBe(0);
});

it.each([
  ["few runners", { count: 4 }, { seed: 1 }],
  ["many, without a seed", { count: 64 }, {}],
])("all look: %s", (_, runners, work) => {
  const { notify, idle } = simulate(runners);
  notify(work);
  expect(idle()).toHaveLength(runners.count);
});

it("a busy runner passes its turn on", () => {
  const { notify, idle, passedOn } = simulate({ count: 8, busy: [3, 4] });
  notify({ seed: 3 });
  expect([idle(), passedOn()]).toEqual([[5], 2]);
});

it("all look after three busy runners", () => {
  const { notify, idle, passedOn } = simulate({ count: 8, busy: [3, 4, 5] });
  notify({ seed: 3 });
  expect([idle(), passedOn()]).toEqual([[0, 1, 2, 6, 7], 3]);
});

it("a runner without all engines looks, and passes its turn on", () => {
  const { notify, idle } = simulate({ count: 8, leaving: [3] });
  notify({ seed: 3 });
  expect(idle()).toEqual([3, 4]);
});

it("others look within a second if the one whose turn it is does not respond", () => {
  const { notify, idle } = simulate({ count: 8, dead: [3] });
  notify({ seed: 3 });
  notify({ seed: 3 });
  vi.advanceTimersByTime(499);
  expect(idle()).toEqual([]);
  vi.advanceTimersByTime(501);
  expect(idle().toSorted()).toEqual([0, 1, 2, 4, 5, 6, 7]);
});
