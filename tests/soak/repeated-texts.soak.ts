import { findSlowTargets } from "#tests/hostile/texts/text-attack.ts";

/** Gives every text of repeated units to every text parameter and reader of texts, with every choice. */

const startedAt = performance.now();
const slow = await findSlowTargets(true);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
process.stdout.write(`${slow.length} slow targets in ${seconds} s\n`);
for (const id of slow) process.stdout.write(`slow: ${id}\n`);
process.exitCode = slow.length > 0 ? 1 : 0;
