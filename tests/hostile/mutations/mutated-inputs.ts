import type { BadInput, Outcome } from "../bad-input.ts";
import { createMutation } from "./mutate.ts";
import { type MutationSeed, mutationSeeds } from "./mutation-seeds.ts";

/**
 * The allowed outcomes for a damaged file. Not `timed_out` and `internal`. Not `engine_crashed` either:
 * engines reject damaged files with an orderly exit.
 */
const allowedOutcomes = [
  "completes",
  "corrupt",
  "unsupported_type",
  "encrypted",
  "too_complex",
  "too_large",
  "out_of_memory",
] as const satisfies Outcome[];

/** The seed with mutation `number` applied. */
export function mutatedInput(seed: MutationSeed, number: number): BadInput {
  const { name, damage } = createMutation(seed.id, number);
  return {
    id: `${seed.id}, ${name}`,
    type: seed.type,
    build: () => seed.write(damage),
    expected: allowedOutcomes,
    timeoutSeconds: 60,
    maxEngineBytes: 4 * 2 ** 30,
  };
}

export { mutationSeeds };
