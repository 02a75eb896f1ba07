import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { isAlive } from "#lib/engines/sandbox/folder/process-folder.ts";
import { spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { closeZygotes, findZygote } from "#lib/engines/sandbox/zygote/zygotes.ts";
import { temporaryFolder, waitUntil } from "#tests/support/processes.ts";
import { engineLimits } from "#tests/support/sandbox/engine-limits.ts";
import { describeItself } from "./describe-process.ts";

const limits = { ...engineLimits, limitsAddressSpace: true };

const sandbox = { ...(await currentSandbox()), level: "full" as const };

afterEach(closeZygotes);

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly variables?: Record<string, string>;
}

/** Runs a command in a sandbox of its own, as a copy of a zygote or executed. */
async function run({ stdin = "", ...request }: Command, isCopied = true) {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, "input"), "content");
  const zygotePrograms = new Set(isCopied ? [request.command] : []);
  const running = await spawnProcess(
    { ...sandbox, zygotePrograms },
    { ...request, folder, writable: [] },
    limits,
  );
  const { child } = running;
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  }
  child.stdin.end(stdin);
  const closed = once(child, "close").then(async ([code, signal]) => {
    await running.waitForEnd();
    return { ...texts, code, signal };
  });
  return { running, closed };
}

const runToEnd = async (request: Command, isCopied = true) => (await run(request, isCopied)).closed;

describe("a copy of a zygote", () => {
  it("is and may do exactly what an executed process is and may do", async () => {
    const command = { command: "python3", args: ["-c", describeItself], variables: { OWN: "1" } };
    const [copied, executed] = await Promise.all([runToEnd(command), runToEnd(command, false)]);
    expect({ ...copied, stdout: "" }).toEqual({ stdout: "", stderr: "", code: 0, signal: null });
    const described = JSON.parse(copied.stdout);
    const expected = JSON.parse(executed.stdout);
    // bubblewrap sets it.
    delete expected.environment.PWD;
    expect(described).toEqual(expected);
    const { NoNewPrivs, Seccomp, ...others } = described.status;
    expect({ NoNewPrivs, Seccomp }).toEqual({ NoNewPrivs: "1", Seccomp: "2" });
    const capabilities = Object.entries(others).filter(([name]) => /^Cap[A-Z]/.test(name));
    expect(capabilities.map(([, set]) => set)).toEqual(Array(5).fill("0000000000000000"));
    expect(described).toMatchObject({ job: ["input"], write: "Read-only file system" });
  });

  it("gets its arguments and its input as they are", async () => {
    const args = ["-c", "import sys; print(sys.argv[1:], sys.stdin.read())", "", "ä\n\t'\"", "a b"];
    const { stdout } = await runToEnd({ command: "python3", args, stdin: "input" });
    expect(stdout).toBe(`['', 'ä\\n\\t\\'"', 'a b'] input\n`);
  });

  it.each([
    ["exits", "raise SystemExit(3)", { code: 3, signal: null }],
    ["is killed", "import os; os.kill(os.getpid(), 9)", { code: null, signal: "SIGKILL" }],
    ["crashes", "import ctypes; ctypes.string_at(0)", { code: null, signal: "SIGSEGV" }],
  ])("is reported when it %s", async (_, program, expected) => {
    const ended = await runToEnd({ command: "python3", args: ["-c", program] });
    expect(ended).toMatchObject(expected);
  });

  it("does not see what another copy was asked to do", async () => {
    const secret = `secret-${process.pid}`;
    await runToEnd({ command: "python3", args: ["-c", "pass", `${secret}!`.repeat(3000)] });
    // Longer than the next request, which may get the same memory. The word is made of two parts, so that the program itself does not have it.
    const search = `
word = bytes("secret", "ascii")[:4] + b"et-${process.pid}"
found = 0
for line in open("/proc/self/maps"):
  start, end = (int(part, 16) for part in line.split(" ", 1)[0].split("-"))
  if not line.split()[1].startswith("rw"): continue
  try:
    with open("/proc/self/mem", "rb", 0) as memory:
      memory.seek(start)
      found += memory.read(end - start).count(word + b"!")
  except (OSError, OverflowError, ValueError): pass
print(found)`;
    const { stdout } = await runToEnd({ command: "python3", args: ["-c", search] });
    expect(stdout).toBe("0\n");
  });

  it("ends with the zygote, and the next one is a copy of another zygote", async () => {
    const first = (await findZygote("python3")) ?? expect.fail();
    const { closed } = await run({
      command: "python3",
      args: ["-c", "import time; time.sleep(60)"],
    });
    process.kill(first.pid, "SIGKILL");
    expect(await closed).toMatchObject({ code: null, signal: "SIGKILL" });
    await waitUntil(async () => (await findZygote("python3"))?.pid !== first.pid);
    expect(await runToEnd({ command: "python3", args: ["-c", "print(1)"] })).toMatchObject({
      stdout: "1\n",
    });
  });

  it("ends when it is killed, with the process that keeps its sandbox", async () => {
    const program =
      "import os, time\nif os.fork() == 0: os.setsid()\nprint(1, flush=True)\ntime.sleep(60)";
    const { running, closed } = await run({ command: "python3", args: ["-c", program] });
    await once(running.child.stdout, "data");
    running.kill();
    expect(await closed).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  it("has its own command line in lists of processes", async () => {
    const program = "print(open('/proc/self/cmdline').read().strip(chr(0)).split(chr(0))[3:])";
    const args = ["-c", program, "a b", "x".repeat(5000)];
    const { stdout } = await runToEnd({ command: "python3", args });
    expect(stdout).toMatch(/^\['a b', 'x{3500,4100}'\]\n$/);
    const zygote = await findZygote("python3");
    const shown = readFileSync(`/proc/${zygote?.pid}/cmdline`, "utf8");
    expect(shown).toMatch(/^python3\0zygote\0\/\S+\.sock\0+$/);
  });

  it("is one of many at the same time", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `${index}`);
    const ended = await Promise.all(
      numbers.map((number) =>
        runToEnd({ command: "python3", args: ["-c", "import sys; print(sys.argv[1])", number] }),
      ),
    );
    expect(ended.map(({ stdout }) => stdout.trim())).toEqual(numbers);
  });
});

describe("a zygote", () => {
  it("is replaced after many copies, which have the same layout of their memory", async () => {
    const first = await findZygote("python3");
    Object.defineProperty(first, "startCount", { value: 500 });
    const next = await findZygote("python3");
    expect(next?.pid).not.toBe(first?.pid);
    await waitUntil(() => !isAlive(first?.pid ?? 0));
  });

  it("has the variables that its libraries read when they are linked", async () => {
    const zygote = await findZygote("tesseract");
    const variables = readFileSync(`/proc/${zygote?.pid}/environ`, "utf8").split("\0");
    expect(variables).toContain("OMP_THREAD_LIMIT=1");
  });

  it.each(["ffmpeg", "ffprobe", "vips", "vipsheader", "tesseract", "gs"])(
    "of %s can be made on this machine",
    async (program) => {
      expect(await findZygote(program)).toBeDefined();
    },
  );

  it("may be replaced while the sandbox of a copy is made", async () => {
    const first = await findZygote("python3");
    if (!first) throw new Error("there is no zygote");
    const start = first.start.bind(first);
    first.start = (request) => {
      first.retire();
      return start(request);
    };
    const command = { command: "python3", args: ["-c", "print(1)"] };
    expect(await runToEnd(command)).toMatchObject({ stdout: "1\n", code: 0 });
  });

  it("is not there for a program that is missing", async () => {
    expect(await findZygote("a-program-that-does-not-exist")).toBeUndefined();
    const { code } = await runToEnd({ command: "a-program-that-does-not-exist", args: [] });
    expect(code).toBe(127);
  });
});
