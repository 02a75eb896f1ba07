import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { closeForkServer, forkServer } from "#lib/engines/sandbox/fork-server/command-starter.ts";
import type { ForkedProcess } from "#lib/engines/sandbox/fork-server/forked-process.ts";
import { waitForGroupEnd } from "#lib/engines/sandbox/strict/process-group.ts";
import { isAlive, Program, temporaryFolder, waitUntil } from "#tests/support/processes.ts";

afterEach(closeForkServer);

const variables = { PATH: "/usr/bin:/bin" };

async function start(
  command: string,
  args: readonly string[] = [],
  more: { sockets?: number; filter?: Buffer; groups?: readonly string[] } = {},
): Promise<ForkedProcess> {
  const folder = await temporaryFolder();
  return (await forkServer()).start({ command, args, folder, variables, sockets: 3, ...more });
}

const shell = (script: string, more?: Parameters<typeof start>[2]) =>
  start("sh", ["-c", script], more);

/** The path of the socket on which this process listens, the argument of the fork server. */
const socketOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[2] ?? "";

/** Its output and how it has ended. */
async function finish(process: ForkedProcess, input = "") {
  const output: Buffer[][] = process.stdio.map(() => []);
  process.stdio.forEach((socket, index) => {
    if (index > 0) socket.on("data", (chunk: Buffer) => output[index]?.push(chunk));
  });
  process.stdin.end(input);
  const [code, signal] = await once(process, "close");
  const [, ...texts] = output.map((chunks) => Buffer.concat(chunks).toString());
  return { code, signal, texts };
}

it("connects the standard streams, and sets folder and environment", async () => {
  const started = await shell('cat; echo "$PATH $SECRET"; pwd; echo problem >&2; exit 3');
  const { code, signal, texts } = await finish(started, "input\n");
  expect({ code, signal }).toEqual({ code: 3, signal: null });
  const [stdout, stderr] = texts;
  expect(stdout).toMatch(/^input\n\/usr\/bin:\/bin \n\/.*mediamill-scripts-\w+\n$/);
  expect(stderr).toBe("problem\n");
});

it("gives a process no descriptor except those that are asked for", async () => {
  const script = "import os; print(*sorted(os.listdir('/proc/self/fd'), key=int))";
  // What this process itself has inherited is passed on by every start of a process.
  const usual = execFileSync("python3", ["-c", script], { encoding: "utf8" }).trim().split(" ");
  const filter = Buffer.from("all\0bytes\xff", "latin1");
  const reader = `${script}; print(os.read(4, 100), os.read(4, 100))`;
  const started = await start("python3", ["-c", reader], { sockets: 4, filter });
  const [listed = "", read] = (await finish(started)).texts[0]?.split("\n") ?? [];
  // The last one is that of the listing itself.
  const own = ["0", "1", "2", "3", "4", "5"];
  expect(listed.split(" ")).toEqual([...own, ...usual.filter((number) => Number(number) > 5)]);
  expect(read).toBe("b'all\\x00bytes\\xff' b''");
});

it.each([
  ["that does not exist", "does-not-exist", 127],
  ["that cannot be executed", "/tmp", 126],
])("reports a command %s by its exit code", async (_, command, code) => {
  expect(await finish(await start(command))).toMatchObject({ code, signal: null });
});

it("reports a process that cannot join its group", async () => {
  const missing = join(await temporaryFolder(), "missing/cgroup.procs");
  expect(await finish(await shell("true", { groups: [missing] }))).toMatchObject({ code: 125 });
});

it("reports the signal that has ended a process", async () => {
  expect(await finish(await shell("kill -SEGV $$"))).toMatchObject({
    code: null,
    signal: "SIGSEGV",
  });
});

it("loses no output of many processes that end at once", async () => {
  const script = "head -c 300000 /dev/zero";
  const ended = Array.from({ length: 60 }, async () => {
    const { code, texts } = await finish(await shell(script));
    return [code, texts[0]?.length];
  });
  expect(await Promise.all(ended)).toEqual(ended.map(() => [0, 300_000]));
});

it("ends a process with its group by its id at once", async () => {
  const started = await shell("sleep 60 & sleep 60");
  const closed = once(started, "close");
  process.kill(-started.pid, "SIGKILL");
  expect(await closed).toEqual([null, "SIGKILL"]);
  await waitUntil(() => !isAlive(-started.pid));
});

it("ends the processes when it is closed, and starts again when it is needed", async () => {
  const started = await shell("sleep 60");
  const closed = once(started, "close");
  await closeForkServer();
  expect(await closed).toEqual([null, "SIGKILL"]);
  expect(await finish(await shell("exit 4"))).toMatchObject({ code: 4 });
});

it("is replaced when it was killed, and reports its processes as killed", async () => {
  const { pid } = await forkServer();
  const started = await shell("sleep 60");
  const exited = once(started, "exit");
  process.kill(pid, "SIGKILL");
  expect(await exited).toEqual([null, "SIGKILL"]);
  process.kill(-started.pid, "SIGKILL");
  await waitUntil(() => !isAlive(pid));
  expect(await finish(await shell("exit 5"))).toMatchObject({ code: 5 });
});

it("is replaced when its socket has disappeared, and keeps what it has started", async () => {
  const { pid } = await forkServer();
  const started = await shell("read line; exit 7");
  rmSync(socketOf(pid));
  await expect(shell("true")).rejects.toThrow("could not be started");
  expect(await finish(await shell("exit 8"))).toMatchObject({ code: 8 });
  expect(await finish(started, "line\n")).toMatchObject({ code: 7 });
  await waitUntil(() => !isAlive(pid));
});

it("closes connections without its key", async () => {
  const { pid } = await forkServer();
  const other = connect(socketOf(pid));
  other.end(Buffer.alloc(24));
  other.resume();
  await once(other, "close");
  expect(await finish(await shell("exit 6"))).toMatchObject({ code: 6 });
});

it("ends with its processes when the process that uses it is killed", async () => {
  const program = new Program(["tests/support/sandbox/sandbox-driver.ts"]);
  await program.waitForOutput("engine started");
  const engine = Number(/pid (\d+)/.exec(program.stdout)?.[1]);
  expect(isAlive(-engine)).toBe(true);
  program.child.kill("SIGKILL");
  await waitForGroupEnd(engine);
});
