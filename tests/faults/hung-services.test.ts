import { afterAll, beforeAll, expect, it } from "vitest";
import { injectFault } from "#tests/faults/inject-fault.ts";
import { FaultService } from "#tests/faults/service.ts";
import type { Target } from "#tests/faults/targets.ts";

/**
 * Blocks the main thread of a service at a fault point. The supervisor replaces it, and the same guarantees
 * hold as after a kill. Web has no fault points, so its process is stopped.
 */
const faults: readonly [point: string, target: Target][] = [
  ["before-response", "web"],
  ["in-engine", "media"],
  ["before-attempt", "webhooks"],
];

let service: FaultService;

beforeAll(async () => {
  service = await FaultService.start({ TEST_UNRESPONSIVE_SECONDS: "3" });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

it.each(faults)(
  "at %s, %s hangs: it is replaced and no accepted job is lost",
  async (point, target) => {
    expect(await injectFault(service, point, target, "hang")).toEqual([]);
    expect(service.stack.output()).toContain(`${target} did not respond for 3 s, killing it`);
  },
  150_000,
);
