import { type EngineGroup, hasEngine } from "#lib/engine-groups.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

/** The operations whose jobs a runner with the engines of `group` leaves to others. */
export function leftOperations(group: EngineGroup): string[] {
  return operations
    .filter(({ requires }) => requires.some((engine) => !hasEngine(group, engine)))
    .map(({ id }) => id);
}
