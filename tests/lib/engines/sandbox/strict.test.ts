import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { launchStrict } from "#lib/engines/sandbox/strict/launcher.ts";
import { waitForGroupEnd } from "#lib/engines/sandbox/strict/process-group.ts";
import type { SandboxView } from "#lib/engines/sandbox/view/sandbox-view.ts";
import { filterOf } from "#lib/formats/seccomp/filter.ts";
import {
  architectures,
  deniedCalls,
  sharedSystemCalls,
} from "#lib/formats/seccomp/system-calls.ts";
import { answersOf } from "#tests/support/call-answers.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

/** The level `strict`: what a program that has taken over an engine can do to the rest of the system. */

const { EPERM, EAFNOSUPPORT } = constants.errno;
const strict = { level: "strict", countsProcessesPerSandbox: false, groups: undefined } as const;
const { column } = architectures[process.arch === "arm64" ? "arm64" : "x64"];

/** Starts a Python program as the launcher does, with at most version `abi` of Landlock, without a runner's checks. */
function startPython(program: string, view: SandboxView, abi: number) {
  const scratch = join(view.folder, "scratch");
  mkdirSync(scratch, { recursive: true });
  const filter = filterOf({ sharedSystem: view.connection?.family ?? "none" });
  const inner = { command: "python3", args: ["-c", program] };
  const { command, args } = launchStrict(inner, view, {
    filter: 3,
    scratch,
    parent: process.pid,
    abi,
  });
  const child = spawn(command, args, {
    cwd: view.folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    detached: true,
  });
  const filterPipe = child.stdio[3];
  if (filterPipe instanceof Writable) filterPipe.end(filter);
  return child;
}

/** Runs a Python program as `startPython` does. Resolves with the JSON that it has printed. */
async function runPython(program: string, view: SandboxView, abi: number): Promise<unknown> {
  const child = startPython(program, view, abi);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await once(child, "close");
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

it("denies every call of the tables, and sockets of every family", async () => {
  const tables = Object.entries({ ...deniedCalls, ...sharedSystemCalls });
  const calls = tables.flatMap(([name, numbers]) => {
    const number = numbers[column];
    return number === null ? [] : [[name, [number, -1] as const] as const];
  });
  const { answers, loopback, opened, filters } = await answersOf(
    strict,
    { command: "", args: [], folder: await temporaryFolder() },
    Object.fromEntries(calls),
  );
  expect(answers).toEqual(Object.fromEntries(calls.map(([name]) => [name, EPERM])));
  // The entries of /proc of the process itself stay readable.
  expect({ loopback, opened, filters }).toEqual({
    loopback: EAFNOSUPPORT,
    opened: [],
    filters: ["2"],
  });
});

/** Tries everything, and prints the names of what succeeded. */
const attempts = `
import json, os, signal, socket
done = []
def attempt(name, work):
  try: work()
  except OSError: return
  done.append(name)
runner = ${process.pid}
attempt("own file", lambda: open("out/own", "w").close())
attempt("own entry of /proc", lambda: open("/proc/self/status").read())
attempt("read", lambda: open("../other").read())
attempt("environment", lambda: open(f"/proc/{runner}/environ").read())
attempt("command line", lambda: open(f"/proc/{runner}/cmdline").read())
attempt("list of processes", lambda: os.listdir("/proc"))
attempt("write", lambda: open("../other", "a"))
attempt("write an input", lambda: open("in/input", "a"))
attempt("empty while reading", lambda: os.open("in/input", os.O_RDONLY | os.O_TRUNC))
attempt("truncate", lambda: os.truncate("in/input", 0))
attempt("mode", lambda: os.chmod("../other", 0o777))
attempt("times", lambda: os.utime("in/input"))
attempt("move an input", lambda: os.rename("in/input", "out/moved"))
attempt("link an input", lambda: os.link("in/input", "out/linked"))
attempt("symbolic link", lambda: os.symlink("/", "out/link"))
attempt("pipe", lambda: os.mkfifo("out/pipe"))
attempt("replace a folder", lambda: os.rename("out", "old"))
attempt("signal", lambda: os.kill(runner, 0))
attempt("signal of its own", lambda: os.kill(os.getpid(), 0))
attempt("session", os.setsid)
attempt("limits", lambda: __import__("resource").prlimit(runner, 7))
attempt("datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt("pair", lambda: socket.socketpair())
attempt("execute an output", lambda: os.execv("out/program", ["out/program"]))
print(json.dumps(done))`;

describe.each([6, 5, 3, 2, 1])("with version %d of Landlock", (abi) => {
  it("reaches nothing but its own files", async () => {
    const folder = await temporaryFolder();
    for (const name of ["job", "job/in", "job/out"]) mkdirSync(join(folder, name));
    for (const name of ["other", "job/in/input"]) writeFileSync(join(folder, name), "content");
    writeFileSync(join(folder, "job/out/program"), "#!/bin/sh\necho executed\n", { mode: 0o700 });
    const view = { folder: join(folder, "job"), writable: ["out"] };
    expect(await runPython(attempts, view, abi)).toEqual([
      "own file",
      "own entry of /proc",
      "signal of its own",
      "pair",
    ]);
  });

  it("connects with nothing but its relay, for every address", async () => {
    const folder = await temporaryFolder();
    const socket = join(folder, "relay.sock");
    const server = createServer((peer) => peer.end("relay"));
    const other = createServer((peer) => peer.end("other"));
    server.listen(socket);
    other.listen(0, "127.0.0.1");
    onTestFinished(() => void [server.close(), other.close()]);
    await Promise.all([once(server, "listening"), once(other, "listening")]);
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const program = `
import json, socket
def answer(work):
  try: return work()
  except OSError as error: return error.errno
def tcp():
  with socket.create_connection(("127.0.0.1", ${port})) as peer: return peer.recv(9).decode()
def fast_open():
  with socket.socket() as peer: return peer.sendto(b"x", 0x20000000, ("127.0.0.1", ${port}))
print(json.dumps([answer(tcp), answer(fast_open), answer(lambda: socket.socket().bind(("127.0.0.1", 0))),
  answer(lambda: socket.socket().listen()),
  *(answer(lambda: socket.socket(*values) and 0) for values in
    [(socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_INET, socket.SOCK_STREAM, 262), (socket.AF_INET6,), (socket.AF_UNIX,)])]))`;
    const connection = { family: "ipv4", socket, relay: [] } as const;
    expect(await runPython(program, { folder, connection }, abi)).toEqual([
      "relay",
      EPERM,
      EPERM,
      EPERM,
      EAFNOSUPPORT,
      EAFNOSUPPORT,
      EAFNOSUPPORT,
      EAFNOSUPPORT,
    ]);
  });
});

it("an engine with a connection ends as a whole when its first process is killed", async () => {
  const folder = await temporaryFolder();
  const connection = { family: "unix", socket: join(folder, "relay.sock"), relay: [] } as const;
  const program = `
import subprocess
subprocess.Popen(["sleep", "100"])
print("started", flush=True)
while True: pass`;
  const child = startPython(program, { folder, connection }, 6);
  if (child.stdout) await once(child.stdout, "data");
  child.kill("SIGKILL");
  await waitForGroupEnd(child.pid ?? 0);
});

it("leaves no temporary files", () => {
  expect(readdirSync(processPath("scratch"))).toEqual([]);
});
