import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Operation } from "#lib/operations/define.ts";
import { runSample } from "#scripts/commands/record-sample.ts";
import { SpanCollector } from "#tests/servers/otlp.ts";
import { startTranscriptionServer } from "#tests/servers/transcription.ts";
import { type Stack, startStack } from "#tests/service/stack.ts";
import { readBusySeconds, readCpuSeconds, subtractCpuSeconds } from "./measure/process-times.ts";
import { makeOperationRows, type OperationRound } from "./operations/operation-rows.ts";
import type { BareCommand } from "./operations/record-commands.ts";
import { readWarmWorkOfJob, sumWarmSeconds } from "./operations/warm-engines.ts";
import type { BenchRow } from "./report/rows.ts";

/**
 * Each operation on its sample: the whole request to the service, and its engines. These are the commands
 * that its job starts, one after the other without the service and its sandbox, and what warm engines did
 * for the request.
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/** Rounds that do not count: the first one may start engines. */
const warmUps = 1;

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
      const collector = await SpanCollector.start();
      const stack = await startStack({ LOG_LEVEL: "warn", ...collector.variables });
      try {
        const rows: BenchRow[] = [];
        for (const operation of operations) {
          const commands = recorded.get(operation.id) ?? [];
          rows.push(...(await measureOperation(operation, commands, stack, collector)));
        }
        return rows;
      } finally {
        await stack.stop();
        collector.stop();
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
  collector: SpanCollector,
): Promise<BenchRow[]> {
  const measured: OperationRound[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    const result = {
      ...(await measureService(operation, stack, collector)),
      bare: await measureBare(commands, stack),
    };
    if (round >= 0) measured.push(result);
  }
  return makeOperationRows(operation.id, commands, measured);
}

async function measureService(
  operation: Operation,
  stack: Stack,
  collector: SpanCollector,
): Promise<Omit<OperationRound, "bare">> {
  const pid = stack.process.pid ?? 0;
  const programs = readCpuSeconds(pid);
  const busy = readBusySeconds();
  const startedAt = performance.now();
  const { id } = await runSample(operation, stack);
  const ms = performance.now() - startedAt;
  const cpuSeconds = readBusySeconds() - busy;
  const warmSeconds = sumWarmSeconds(subtractCpuSeconds(readCpuSeconds(pid), programs));
  const work = await readWarmWorkOfJob(collector.spans, { id, operation: operation.id });
  return { service: { ms, cpuSeconds }, warm: { ...work, cpuSeconds: warmSeconds } };
}

async function measureBare(
  commands: readonly BareCommand[],
  stack: Stack,
): Promise<OperationRound["bare"]> {
  const before = ownSeconds(stack);
  const startedAt = performance.now();
  await runBare(commands);
  return { ms: performance.now() - startedAt, cpuSeconds: ownSeconds(stack) - before };
}

/** CPU seconds of this process and of those that it has started, without the service. */
function ownSeconds(stack: Stack): number {
  return totalSeconds(process.pid) - totalSeconds(stack.process.pid ?? 0);
}

function totalSeconds(pid: number): number {
  return readCpuSeconds(pid)
    .values()
    .reduce((sum, seconds) => sum + seconds, 0);
}

async function runBare(commands: readonly BareCommand[]): Promise<void> {
  for (const { command, args, folder } of commands) {
    await run(command, args, { cwd: folder, maxBuffer: 2 ** 28 });
  }
}
