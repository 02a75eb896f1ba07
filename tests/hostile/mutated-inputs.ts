import type { Answer, BadInput } from "./bad-input.ts";
import { mutationOf } from "./mutate.ts";
import { type MutationSeed, mutationSeeds } from "./mutation-seeds.ts";

/**
 * Every end that a damaged file may come to. Taking for ever is none, nor is a fault of ours; a crash
 * of an engine would be one, but what was told as such were all engines that had given up in order.
 */
const ends = [
  ...["completes", "corrupt", "unsupported_type", "encrypted"],
  ...["too_complex", "too_large", "out_of_memory"],
] as const satisfies Answer[];

/** The seed with the mutation `number` done to it. */
export function mutatedInput(seed: MutationSeed, number: number): BadInput {
  const { name, damage } = mutationOf(seed.id, number);
  return {
    ...{ id: `${seed.id}, ${name}`, type: seed.type },
    build: () => seed.write(damage),
    ...{ answers: ends, seconds: 60, mostBytes: 4 * 2 ** 30 },
  };
}

export { mutationSeeds };
