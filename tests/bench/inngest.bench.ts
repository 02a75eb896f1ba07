import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { fastStart } from "#scripts/setup/node24.mjs";
import { printTable, writeResults } from "./measure.ts";
import type { QueueFigures } from "./queue-figures.ts";

/**
 * Compares the embedded queue with Inngest, on one media runner with two slots. The Inngest server is
 * the one of the tests, with the delay of the real server's event stream. The real one also needs
 * processor time of its own, so its figures are worse.
 */

const program = join(import.meta.dirname, "queue-figures.ts");

async function measure(queue: "embedded" | "inngest"): Promise<QueueFigures> {
  const { stdout } = await promisify(execFile)(process.execPath, [...fastStart, program, queue]);
  // The program prints one JSON value.
  return JSON.parse(stdout) as QueueFigures;
}

const [embedded, inngest] = [await measure("embedded"), await measure("inngest")];
const row = (title: string, name: keyof QueueFigures, digits = 0) => [
  title,
  embedded[name].toFixed(digits),
  inngest[name].toFixed(digits),
];
printTable([
  ["figure", "embedded", "inngest"],
  row("small jobs per second", "jobsPerSecond", 1),
  row("accept to start, idle, ms", "startMs"),
  row("accept to start next to an account at its limit, ms", "startNextToLimitMs"),
  row("first of 4 jobs behind 20 of another account, job lengths", "firstTurnInJobLengths", 1),
  row("last of these 4, job lengths", "lastTurnInJobLengths", 1),
]);
writeResults("inngest", { embedded, inngest });
