import { afterAll, beforeAll, expect, it } from "vitest";
import { injectFault } from "#tests/faults/inject-fault.ts";
import { FaultService } from "#tests/faults/service.ts";
import type { Target } from "#tests/faults/targets.ts";

/**
 * Kills a service at a fault point. Afterwards every accepted job must end with a complete output, its
 * usage counted once and its webhook sent under one id, and nothing may remain. This is a selection;
 * `npm run soak` kills every service at every fault point.
 */
const faults: readonly [point: string, target: Target][] = [
  ["before-response", "web"],
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

it.each(faults)(
  "at %s, %s is killed: no accepted job is lost",
  async (point, target) => {
    expect(await injectFault(service, point, target)).toEqual([]);
  },
  150_000,
);
