import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Operation } from "#lib/operations/define.ts";
import { runSample } from "#scripts/commands/record-sample.ts";
import { startTranscriptionServer } from "#tests/servers/transcription.ts";
import { type Stack, startStack } from "#tests/service/stack.ts";
import { readBusySeconds, readCpuSeconds } from "./measure/process-times.ts";
import type { BareCommand } from "./operations/record-commands.ts";
import { type BenchRow, makeRow, measureInTurns, type Round } from "./report/rows.ts";

/**
 * Each operation on its sample: the whole request to the service, and the commands that its job starts,
 * one after the other without the service and its sandbox.
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/** What the service may take: so many times the bare commands, and so many milliseconds more. */
const limit = { factor: 1.25, addedMs: 15 };

const run = promisify(execFile);

export default {
  title: "operations",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-operations-"));
    process.env.DATA_DIR = join(folder, "data");
    process.env.LOG_LEVEL = "warn";
    process.env.TRANSCRIBE_URL = await startTranscriptionServer();
    try {
      const { operations } = await import("#lib/operations/catalogue/index.ts");
      const recorded = await recordAll(operations, folder);
      const stack = await startStack({ LOG_LEVEL: "warn" });
      try {
        const rows: BenchRow[] = [];
        for (const operation of operations) {
          const commands = recorded.get(operation.id) ?? [];
          rows.push(...(await measureOperation(operation, commands, stack)));
        }
        return rows;
      } finally {
        await stack.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** What the job of each operation starts, with engines of this process. */
async function recordAll(
  operations: readonly Operation[],
  folder: string,
): Promise<ReadonlyMap<string, readonly BareCommand[]>> {
  const { closeEngines, warmUpEngines } = await import("#lib/engines/index.ts");
  const { recordCommands } = await import("./operations/record-commands.ts");
  await warmUpEngines();
  const jobs = new Map<string, readonly BareCommand[]>();
  try {
    for (const operation of operations) {
      jobs.set(operation.id, await recordCommands(operation, folder));
    }
    return jobs;
  } finally {
    await closeEngines();
  }
}

async function measureOperation(
  operation: Operation,
  commands: readonly BareCommand[],
  stack: Stack,
): Promise<BenchRow[]> {
  const { id } = operation;
  const service = () => measured(readBusySeconds, () => runSample(operation, stack));
  if (commands.length === 0) {
    const sides = await measureInTurns({ service }, { rounds });
    return [makeRow(id, "service", "ms", sides.service.values, cpuOf(sides.service.cpu))];
  }
  const bare = () => measured(ownSeconds, () => runBare(commands));
  const sides = await measureInTurns({ service, bare }, { rounds });
  const bareRow = makeRow(id, nameCommands(commands), "ms", sides.bare.values, {
    ...cpuOf(sides.bare.cpu),
  });
  const max = Math.round(limit.factor * bareRow.median + limit.addedMs);
  const target = { target: { max }, ...cpuOf(sides.service.cpu) };
  return [makeRow(id, "service", "ms", sides.service.values, target), bareRow];
}

const cpuOf = (cpu: number | undefined) => (cpu === undefined ? {} : { cpu });

/** CPU seconds of this process and of those that it has started and that have ended. */
function ownSeconds(): number {
  return readCpuSeconds(process.pid)
    .values()
    .reduce((sum, seconds) => sum + seconds, 0);
}

async function measured(readSeconds: () => number, work: () => Promise<unknown>): Promise<Round> {
  const before = readSeconds();
  const startedAt = performance.now();
  await work();
  const value = performance.now() - startedAt;
  return { value, cpuSeconds: readSeconds() - before };
}

async function runBare(commands: readonly BareCommand[]): Promise<void> {
  for (const { command, args, folder } of commands) {
    await run(command, args, { cwd: folder, maxBuffer: 2 ** 28 });
  }
}

/** Such as `ffprobe, 2 × ffmpeg`. */
function nameCommands(commands: readonly BareCommand[]): string {
  const names = Map.groupBy(commands, ({ command }) => basename(command));
  return [...names]
    .map(([name, { length }]) => (length === 1 ? name : `${length} × ${name}`))
    .join(", ");
}
