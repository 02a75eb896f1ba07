import { afterAll, beforeAll, expect, it } from "vitest";
import { strike } from "#tests/faults/inject-fault.ts";
import { FaultService } from "#tests/faults/service.ts";
import type { Victim } from "#tests/faults/targets.ts";

/**
 * A part is killed at a moment of a job; then every accepted job ends, its output whole, its use
 * counted once, its receiver told under one id, and nothing is left behind. These are some; every
 * part at every moment is `npm run soak`.
 */
const strikes: readonly [moment: string, victim: Victim][] = [
  ["before-answer", "web"],
  ["in-engine", "media"],
  ["while-storing", "postgres"],
  ["in-settle", "media"],
  ["after-attempt", "webhooks"],
];

let service: FaultService;

beforeAll(async () => {
  service = await FaultService.start();
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

it.each(strikes)(
  "%s, %s killed: nothing accepted is lost",
  async (moment, victim) => {
    expect(await strike(service, moment, victim)).toEqual([]);
  },
  150_000,
);
