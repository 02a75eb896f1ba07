import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { identify } from "#lib/engines/sandbox/bubblewrap/template.ts";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { NotStartedError } from "#lib/engines/sandbox/fork-server/fork-server.ts";
import { closeSandboxServer, sandboxServer } from "#lib/engines/sandbox/native/sandbox-server.ts";
import { canIsolate } from "#lib/engines/sandbox/self-test.ts";
import { type SpawnRequest, spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { limitsOf } from "#lib/engines/sandbox/start-command.ts";
import { startPrepared } from "#lib/engines/sandbox/start-prepared.ts";
import { filterOf } from "#lib/formats/seccomp/filter.ts";
import { isAlive, temporaryFolder, waitUntil } from "#tests/support/processes.ts";
import { engineLimits } from "#tests/support/sandbox/engine-limits.ts";
import { describeItself } from "./describe-process.ts";

/** Sandboxes that are copies of templates. */

const limits = { ...engineLimits, limitsAddressSpace: true };

const sandbox = { ...(await currentSandbox()), level: "full" as const };

afterEach(closeSandboxServer);

type Request = Pick<SpawnRequest, "command" | "args"> & Partial<SpawnRequest>;

async function run(request: Request, prepares = true) {
  const folder = request.folder ?? (await temporaryFolder());
  const running = await spawnProcess({ ...sandbox, prepares }, { ...request, folder }, limits);
  const { child } = running;
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  }
  const closed = once(child, "close").then(async ([code, signal]) => {
    await running.waitForEnd();
    return { ...texts, code, signal };
  });
  return { running, closed };
}

async function runToEnd(request: Request, prepares = true) {
  const { running, closed } = await run(request, prepares);
  running.child.stdin.end();
  return closed;
}

const shell = (script: string): Request => ({ command: "sh", args: ["-c", script] });
const python = (program: string): Request => ({ command: "python3", args: ["-c", program] });

it("are used on this machine", () => {
  expect(sandbox.prepares).toBe(true);
});

describe("a process in a copy of a template", () => {
  it("is and may do exactly what it is and may do in a sandbox of bubblewrap", async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "input"), "content");
    mkdirSync(join(folder, "out"));
    const request = {
      ...python(describeItself),
      folder,
      writable: ["out"],
      variables: { OWN: "1" },
    };
    const [copied, made] = [await runToEnd(request), await runToEnd(request, false)];
    expect({ ...copied, stdout: "" }).toEqual({ stdout: "", stderr: "", code: 0, signal: null });
    const [described, expected] = [JSON.parse(copied.stdout), JSON.parse(made.stdout)];
    // bubblewrap sets it.
    delete expected.environment.PWD;
    // The first process has no files to look at.
    expected["root of another process"] = "Permission denied";
    // There are no terminals, which all sandboxes of a template would share.
    const terminals = ["core", "ptmx", "pts"];
    expected.devices = expected.devices.filter((name: string) => !terminals.includes(name));
    const kinds = (mounts: string[][]) =>
      mounts
        .flat()
        // Bind mounts of the same folders, of which all of /proc is read-only here.
        .filter((mount) => !/^\/dev\/pts |^\/proc\/\w+ .* proc proc/.test(mount))
        .map((mount) =>
          mount.replace(" proc none ", " proc proc ").replace(" tmpfs none ", " tmpfs tmpfs "),
        )
        .sort();
    expect(kinds(described.mounts)).toEqual(kinds(expected.mounts));
    expect({ ...described, mounts: [] }).toEqual({ ...expected, mounts: [] });
    expect(described).toMatchObject({ job: ["input", "out"], write: "Read-only file system" });
  });

  it("cannot create user namespaces, and cannot look into the first process", async () => {
    const script = `
cat /proc/sys/user/max_user_namespaces
for name in environ mem maps root/etc; do cat /proc/1/$name 2>&1 | head -c 200; done`;
    const { stdout } = await runToEnd(shell(script));
    const denied = ["environ", "mem", "maps", "root/etc"].map(
      (name) => `cat: /proc/1/${name}: Permission denied`,
    );
    expect(stdout.trim().split("\n")).toEqual(["0", ...denied]);
  });

  it("shares no temporary files and no processes with another one", async () => {
    const { running, closed } = await run(
      shell("touch /tmp/mine /dev/shm/mine && echo ready && read -r _"),
    );
    await once(running.child.stdout, "data");
    const { stdout } = await runToEnd(shell("ls /tmp /dev/shm; ls -d /proc/[0-9]* | wc -l"));
    running.child.stdin.end("\n");
    expect((await closed).code).not.toBeNull();
    // The first process, the shell, `ls` and `wc`.
    expect(stdout).toMatch(/^\/dev\/shm:\n\n\/tmp:\n[34]\n$/);
  });

  it("reaches the socket of its relay, which no other copy has", async () => {
    const socket = join(await temporaryFolder(), "file.sock");
    const server = createServer((connection) => connection.end("content")).listen(socket);
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const program = `
import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
print(sys.argv[1:], connection.recv(100).decode())`;
    const relay = ["python3", "-c", program, socket];
    const connection = { family: "ipv4", socket, relay } as const;
    const relayed = { ...shell("true"), readable: [socket], connection };
    const { stdout } = await runToEnd(relayed);
    expect(stdout).toBe("['/relay.sock', 'sh', '-c', 'true'] content\n");
    expect((await runToEnd(shell("ls /relay.sock"))).code).toBe(2);
  });

  it.each([
    ["exits", "raise SystemExit(3)", { code: 3, signal: null }],
    ["is killed", "import os; os.kill(os.getpid(), 9)", { code: 137, signal: null }],
    [
      "leaves processes",
      "import os\nif os.fork() == 0: os.setsid(); os.execlp('sleep', 'sleep', '60')",
      { code: 0 },
    ],
  ])("is reported when it %s", async (_, program, expected) => {
    expect(await runToEnd(python(program))).toMatchObject(expected);
  });

  it("has the exit code of a shell if it is missing or cannot be executed", async () => {
    const missing = await runToEnd({ command: "a-program-that-does-not-exist", args: [] });
    const folder = await runToEnd({ command: "/usr", args: [] });
    expect([missing.code, folder.code]).toEqual([127, 126]);
  });

  it("ends with all its processes when it is killed", async () => {
    const program =
      "import os, time\nif os.fork() == 0: os.setsid()\nprint(1, flush=True)\ntime.sleep(60)";
    const { running, closed } = await run(python(program));
    await once(running.child.stdout, "data");
    running.kill();
    expect(await closed).toMatchObject({ signal: "SIGKILL" });
    expect(isAlive(running.child.command)).toBe(false);
  });

  it("ends with the server, and the next one gets another server", async () => {
    const first = (await sandboxServer()) ?? expect.fail();
    const { running, closed } = await run(shell("echo ready; sleep 60"));
    await once(running.child.stdout, "data");
    process.kill(first.pid, "SIGKILL");
    expect(await closed).toMatchObject({ signal: "SIGKILL" });
    await waitUntil(() => !isAlive(running.child.command));
    expect(await runToEnd(shell("echo again"))).toMatchObject({ stdout: "again\n", code: 0 });
    expect((await sandboxServer())?.pid).not.toBe(first.pid);
  });

  it("can write in many folders", async () => {
    const folder = await temporaryFolder();
    const writable = Array.from({ length: 20 }, (_, index) => `out-${index}`);
    for (const name of writable) mkdirSync(join(folder, name));
    const request = { ...shell("for name in out-*; do touch $name/own; done"), folder, writable };
    const started = await startPrepared(request, limitsOf(limits, false), []);
    if (started) await once(started.child, "close");
    expect(writable.filter((name) => !existsSync(join(folder, name, "own")))).toEqual([]);
  });

  it("sends no signal after its end, when its id may be that of another process", async () => {
    const { running, closed } = await run(shell("read -r _"));
    running.child.stdin.end();
    await closed;
    const kill = vi.spyOn(process, "kill");
    onTestFinished(() => kill.mockRestore());
    running.kill();
    expect(kill).not.toHaveBeenCalled();
  });

  it("is one of many at the same time, also of the first ones", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `${index}`);
    const ended = await Promise.all(numbers.map((number) => runToEnd(shell(`echo ${number}`))));
    expect(ended.map(({ stdout }) => stdout.trim())).toEqual(numbers);
  });
});

describe("a template", () => {
  it("is replaced when a file of it was replaced", async () => {
    // Not in /tmp, where a sandbox has its own files.
    const folder = mkdtempSync("/var/tmp/mediamill-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "weights");
    writeFileSync(path, "old");
    const request = { command: "cat", args: [path], readable: [path] };
    expect((await runToEnd(request)).stdout).toBe("old");
    writeFileSync(`${path}.new`, "new");
    renameSync(`${path}.new`, path);
    expect((await runToEnd(request)).stdout).toBe("new");
  });

  it("has a server with space for it", async () => {
    const folder = mkdtempSync("/var/tmp/mediamill-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const first = await sandboxServer();
    const paths = Array.from({ length: 50 }, (_, index) => join(folder, `${index}`));
    for (const path of paths) {
      writeFileSync(path, path);
      const request = { command: "cat", args: [path], readable: [path], writable: [] };
      const started = await startPrepared({ ...request, folder }, limitsOf(limits, false), []);
      if (started) expect((await once(started.child, "close"))[0]).toBe(0);
    }
    expect(await sandboxServer()).not.toBe(first);
  });

  it("remains when its own processes have ended", async () => {
    const server = await sandboxServer();
    for (let index = 0; index < 3; index++) {
      expect(await runToEnd(shell(`echo ${index}`))).toMatchObject({ stdout: `${index}\n` });
    }
    expect(server?.startCount).toBe(3);
  });
});

describe("the sandbox server", () => {
  const request = (folder: string, changed: Partial<SpawnRequest> = {}) => ({
    folder,
    command: "touch",
    args: ["/job/started"],
    ...changed,
  });

  it("executes nothing if the folder is another one than that of the request", async () => {
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
    const server = await sandboxServer();
    const start = vi.spyOn(server ?? expect.fail(), "start");
    await startPrepared(request(folder), limitsOf(limits, false), []);
    const starting = server?.start({
      template: start.mock.calls[0]?.[0].template ?? expect.fail(),
      folder,
      identity: identify(other) ?? "",
      relay: undefined,
      writable: undefined,
      usesLoopback: false,
      sockets: 3,
      filter: filterOf({}),
      groups: [],
      limits: new Map(),
      variables: {},
      command: "touch",
      args: ["/job/second"],
    });
    await expect(starting).rejects.toThrow("another folder");
    expect(existsSync(join(folder, "second"))).toBe(false);
  });

  it("does not take a process of the machine for a template", async () => {
    const folder = await temporaryFolder();
    const server = await sandboxServer();
    const starting = server?.start({
      template: { name: "not a template", pid: process.pid },
      folder,
      identity: identify(folder) ?? "",
      relay: undefined,
      writable: undefined,
      usesLoopback: false,
      sockets: 3,
      filter: filterOf({}),
      groups: [],
      limits: new Map(),
      variables: {},
      command: "touch",
      args: ["/job/started"],
    });
    await expect(starting).rejects.toThrow("its template has ended");
    expect(existsSync(join(folder, "started"))).toBe(false);
  });

  it("reports a path with a line break in one line", async () => {
    const missing = request("/missing\nexited 1 0");
    await expect(startPrepared(missing, limitsOf(limits, false), [])).rejects.toThrow(
      "could not be started: /missing exited 1 0: 2",
    );
  });

  it("is not needed: bubblewrap makes what it cannot make", async () => {
    const inside = await temporaryFolder();
    mkdirSync(join(inside, "real"));
    // bubblewrap follows the link, the server does not.
    symlinkSync("real", join(inside, "out"));
    const writing = { ...request(inside), args: ["/job/out/started"], writable: ["out"] };
    await expect(startPrepared(writing, limitsOf(limits, false), [])).rejects.toThrow(
      NotStartedError,
    );
    expect(await runToEnd(writing)).toMatchObject({ code: 0 });
    expect(existsSync(join(inside, "real", "started"))).toBe(true);
    // The self-test must not take the isolation of bubblewrap for that of copies.
    expect(await canIsolate({ level: "full" })).toBe(true);
    expect(await canIsolate({ level: "full", prepares: true })).toBe(false);
  });
});
