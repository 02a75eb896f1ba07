import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { type ResourceLimits, type Sandbox, spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { temporaryFolder, waitUntil } from "#tests/support/processes.ts";

const megabyte = 2 ** 20;

const limits: ResourceLimits = {
  memoryBytes: 128 * megabyte,
  limitsAddressSpace: false,
  processes: 32,
  cpuSeconds: 60,
  fileBytes: megabyte,
  openFiles: 32,
};

const current = await currentSandbox();

/** The limits of this machine, and monitoring alone, which works on every machine. */
const methods: readonly { readonly by: string; readonly sandbox: Sandbox }[] = [
  { by: "by the limits of this machine", sandbox: current },
  { by: "by monitoring alone", sandbox: { ...current, groups: undefined } },
  {
    by: "by monitoring alone as a copy of a zygote",
    sandbox: { ...current, groups: undefined, zygotePrograms: new Set(["python3"]) },
  },
];

/** A process is executed or is a copy of a zygote. */
const ways: readonly { readonly kind: string; readonly current: Sandbox }[] = [
  { kind: "an engine", current },
  { kind: "an engine in a sandbox of bubblewrap", current: { ...current, prepares: false } },
  { kind: "a copy of a zygote", current: { ...current, zygotePrograms: new Set(["python3"]) } },
];

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly outOfMemory: boolean;
}

/** Runs a Python program in a separate sandbox; `exit` resolves when it has exited. */
async function run(sandbox: Sandbox, program: string, changed: Partial<ResourceLimits> = {}) {
  const folder = await temporaryFolder();
  // Without the modules of a site, Python starts in half the time.
  const request = { command: "python3", args: ["-I", "-S", "-c", program], folder };
  const running = await spawnProcess(sandbox, request, { ...limits, ...changed });
  const { promise, resolve } = Promise.withResolvers<Exit>();
  let stdout = "";
  running.child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  running.child.on("close", (code, signal) =>
    resolve({ code, signal, stdout, outOfMemory: running.outOfMemory }),
  );
  return { folder, running, exit: promise };
}

describe.each(methods)("an engine is killed $by", ({ sandbox }) => {
  it("if it exceeds its memory limit", async () => {
    const { exit } = await run(sandbox, "a = bytearray(2**30)\nfor i in range(9**9): a[i] = 1");
    expect(await exit).toMatchObject({ outOfMemory: true });
  });

  it("if its processes together exceed the memory limit", async () => {
    const each = "import os, time\nfor _ in range(4): os.fork()\na = b'x' * 2**25\ntime.sleep(60)";
    const { exit } = await run(sandbox, each);
    expect(await exit).toMatchObject({ outOfMemory: true });
  });

  it("if it starts processes without end, or the kernel prevents their start", async () => {
    const bomb = `
import os, time
while True:
  try:
    if os.fork() == 0: time.sleep(60)
  except OSError:
    print(len(os.listdir("/proc")), flush=True); os._exit(1)`;
    // Monitoring counts memory that processes share once for each, so the limit is out of reach.
    const { exit } = await run(sandbox, bomb, { memoryBytes: 64 * 2 ** 30 });
    expect(await exit).toMatchObject({ outOfMemory: false });
  });
});

describe.each(ways)("$kind", ({ current }) => {
  it("within its limits is not killed", async () => {
    const { exit } = await run(current, "a = b'x' * 2**24; print(len(a))");
    expect(await exit).toEqual({
      code: 0,
      signal: null,
      stdout: "16777216\n",
      outOfMemory: false,
    });
  });

  it("cannot write a file above its limit", async () => {
    const { exit, folder } = await run(current, "open('a', 'wb').write(b'x' * 2**21)");
    expect((await exit).code).not.toBe(0);
    expect(existsSync(join(folder, "a"))).toBe(true);
  });

  it("has limited CPU time", async () => {
    const { exit } = await run(current, "while True: pass", { cpuSeconds: 1 });
    expect((await exit).code).not.toBe(0);
  });

  it("cannot open more files than its limit", async () => {
    const program =
      "f = []\ntry:\n  while True: f.append(open('/dev/null'))\nexcept OSError: print(len(f))";
    expect(Number((await (await run(current, program)).exit).stdout)).toBeLessThan(32);
  });

  it("cannot write outside its folder", async () => {
    const program = `
import os
for path in ["/a", "/dev/a", "/etc/a", "/usr/a", "/tmp/a"]:
  try: open(path, "w"); print(path)
  except OSError: pass`;
    // At the level `full`, /tmp is its own.
    const written = { full: "/tmp/a\n", strict: "" };
    for (const level of ["full", "strict"] as const) {
      const { exit } = await run({ ...current, level }, program);
      expect([level, (await exit).stdout]).toEqual([level, written[level]]);
    }
  });

  it("cannot fill the memory of /tmp", async () => {
    const program = `import os; print(os.statvfs("/tmp").f_blocks * os.statvfs("/tmp").f_frsize)`;
    const { exit } = await run({ ...current, level: "full" }, program);
    expect((await exit).stdout).toBe(`${2 ** 30}\n`);
  });

  it("cannot change a kernel setting, even if its runner is root", async () => {
    const program = `
import os
for folder, _, files in os.walk("/proc"):
  if folder.split("/")[2:3] and folder.split("/")[2].isdigit(): continue
  for path in [os.path.join(folder, name) for name in files]:
    if os.path.islink(path): continue
    try: os.close(os.open(path, os.O_WRONLY))
    except OSError: continue
    print(path)`;
    expect((await (await run(current, program)).exit).stdout).toBe("");
  });

  it.each(["full", "strict"] as const)("is killed with all its descendants (%s)", async (level) => {
    const program = `
import os, time
if os.fork() == 0:
  for leave in [os.setsid, lambda: os.setpgid(0, 0)]:
    try: leave()
    except OSError: pass
  if os.fork() == 0:
    while True:
      open("alive", "a").write("x")
      time.sleep(0.01)
  os._exit(0)
time.sleep(60)`;
    const { folder, running, exit } = await run({ ...current, level, groups: undefined }, program);
    const file = join(folder, "alive");
    await waitUntil(() => existsSync(file));
    running.kill();
    await exit;
    await running.waitForEnd();
    expect(await hasWriter(file)).toBe(false);
  });
});

/** Whether a process still writes to `file`. */
async function hasWriter(file: string): Promise<boolean> {
  const { statSync } = await import("node:fs");
  const before = statSync(file).size;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return statSync(file).size > before;
}
