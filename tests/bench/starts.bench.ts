import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { closeSandbox, currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { closeForkServer, forkServer } from "#lib/engines/sandbox/fork-server/command-starter.ts";
import { spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { engineLimits } from "#tests/support/sandbox/engine-limits.ts";
import { readBusySeconds } from "./measure/process-times.ts";
import { type BenchRow, makeRow, measureInTurns, percentile, timed } from "./report/rows.ts";

/** Megabytes that the process which starts others has written to, in addition to its own. */
const sizes = [0, 200, 400];
const rounds = 100;
const variables = { PATH: "/usr/bin:/bin", NODE_ENV: "production" } as const;

/** Starts a program by the process itself, as Node does. */
async function startDirectly(): Promise<void> {
  const child = spawn("true", { cwd: tmpdir(), env: variables, detached: true });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
}

async function startByForkServer(): Promise<void> {
  const request = { command: "true", args: [], folder: tmpdir(), variables, sockets: 3 };
  const child = await (await forkServer()).start(request);
  child.stdin.end();
  await once(child, "close");
}

/** What a sandbox may add to a start, in milliseconds. */
const allowed = { wall: 4, cpu: 3 };

/** How a process is isolated in turns, at the level `full` but for the first one. */
const isolations = {
  "no sandbox": { level: "off", prepares: false },
  "a copy of a template": { level: "full", prepares: true },
  bubblewrap: { level: "full", prepares: false },
} as const;

type Side = keyof typeof isolations;

/** Starts a process that does nothing, and waits until nothing of it is left. */
async function startIsolated(side: Side): Promise<void> {
  const sandbox = { ...(await currentSandbox()), ...isolations[side] };
  const request = { command: "true", args: [], folder: "/var/tmp", writable: [] };
  const running = await spawnProcess(sandbox, request, engineLimits);
  running.child.stdin.end();
  await once(running.child, "close");
  await running.waitForEnd();
}

/** The CPU time of the whole machine for each start, in milliseconds. The machine must be quiet. */
async function measureCpu(side: Side): Promise<number> {
  const before = readBusySeconds();
  for (let round = 0; round < rounds; round++) await startIsolated(side);
  return ((readBusySeconds() - before) * 1000) / rounds;
}

/** Measures what a sandbox adds to the start and the end of a process that does nothing. */
async function measureSandboxes(): Promise<BenchRow[]> {
  const measure = (side: Side) => () => timed(() => startIsolated(side));
  const sides = await measureInTurns(
    {
      "no sandbox": measure("no sandbox"),
      "a copy of a template": measure("a copy of a template"),
      bubblewrap: measure("bubblewrap"),
    },
    { rounds },
  );
  const wall = percentile(sides["no sandbox"].values, 0.5);
  const cpu: Record<Side, number[]> = {
    "no sandbox": [],
    "a copy of a template": [],
    bubblewrap: [],
  };
  // In turns, because the machine may do something else meanwhile.
  for (let turn = 0; turn < 5; turn++) {
    for (const side of Object.keys(isolations) as Side[]) {
      cpu[side].push(await measureCpu(side));
    }
  }
  const cpuWithout = percentile(cpu["no sandbox"], 0.5);
  return (Object.keys(isolations) as Side[]).flatMap((side) => {
    const isTarget = side === "a copy of a template";
    const most = (value: number) => (isTarget ? { target: { max: Number(value.toFixed(1)) } } : {});
    const name = "start and end of `true`";
    return [
      makeRow(name, side, "ms", sides[side].values, most(wall + allowed.wall)),
      makeRow(name, `${side}, CPU time`, "ms", cpu[side], most(cpuWithout + allowed.cpu)),
    ];
  });
}

/**
 * Measures the time until a process that does nothing has ended, and how long this process could do
 * nothing else.
 */
export default {
  title: "starts",
  async run(): Promise<BenchRow[]> {
    const rows: BenchRow[] = [];
    const memory: Buffer[] = [];
    try {
      for (const megabytes of sizes) {
        while (memory.length < megabytes) memory.push(Buffer.alloc(2 ** 20, 1));
        const stopped: Record<"Node" | "fork server", number[]> = { Node: [], "fork server": [] };
        const measure = (side: keyof typeof stopped, start: () => Promise<void>) => {
          return timed(async () => {
            const before = process.cpuUsage();
            await start();
            const { user, system } = process.cpuUsage(before);
            stopped[side].push((user + system) / 1000);
          });
        };
        const sides = await measureInTurns(
          {
            direct: () => measure("Node", startDirectly),
            served: () => measure("fork server", startByForkServer),
          },
          { rounds },
        );
        const name = `start \`true\` from a process with ${megabytes} MB more`;
        const row = (side: string, values: readonly number[]) => makeRow(name, side, "ms", values);
        rows.push(row("Node", sides.direct.values), row("fork server", sides.served.values));
        rows.push(row("Node, its CPU time", stopped.Node));
        const most = percentile(stopped.Node, 0.5);
        const target = megabytes === 0 ? {} : { target: { max: Number(most.toPrecision(3)) } };
        rows.push(makeRow(name, "fork server, CPU time", "ms", stopped["fork server"], target));
      }
      memory.length = 0;
      return [...rows, ...(await measureSandboxes())];
    } finally {
      await closeSandbox();
      await closeForkServer();
    }
  },
};
