import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { closeForkServer, forkServer } from "#lib/engines/sandbox/fork-server/fork-server.ts";
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
      return rows;
    } finally {
      await closeForkServer();
    }
  },
};
