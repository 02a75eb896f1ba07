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

const own = await currentSandbox();

/** The kernel's limits where this machine has them, and the watch, which every machine has. */
const ways: readonly { readonly by: string; readonly sandbox: Sandbox }[] = [
  { by: "as this machine does it", sandbox: own },
  { by: "by watching alone", sandbox: { ...own, groups: undefined } },
];

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly outOfMemory: boolean;
}

/** Runs a Python program in a sandbox of its own; resolves with its end. */
async function run(sandbox: Sandbox, program: string, wanted: Partial<ResourceLimits> = {}) {
  const folder = await temporaryFolder();
  const request = { command: "python3", args: ["-c", program], folder };
  const running = spawnProcess(sandbox, request, { ...limits, ...wanted });
  const { promise, resolve } = Promise.withResolvers<Ending>();
  let stdout = "";
  running.child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  running.child.on("close", (code, signal) =>
    resolve({ code, signal, stdout, outOfMemory: running.outOfMemory }),
  );
  return { folder, running, ending: promise };
}

describe.each(ways)("an engine is ended $by", ({ sandbox }) => {
  it("when it uses more memory than it may", async () => {
    const { ending } = await run(sandbox, "a = bytearray(2**30)\nfor i in range(9**9): a[i] = 1");
    expect(await ending).toMatchObject({ outOfMemory: true });
  });

  it("when its processes together do, though none of them does alone", async () => {
    const each = "import os, time\nfor _ in range(4): os.fork()\na = b'x' * 2**25\ntime.sleep(60)";
    const { ending } = await run(sandbox, each);
    expect(await ending).toMatchObject({ outOfMemory: true });
  });

  it("when it starts processes without end, or none of them starts", async () => {
    const bomb = `
import os, time
while True:
  try:
    if os.fork() == 0: time.sleep(60)
  except OSError:
    print(len(os.listdir("/proc")), flush=True); os._exit(1)`;
    const { ending } = await run(sandbox, bomb, { memoryBytes: 4 * 2 ** 30 });
    expect(await ending).toMatchObject({ outOfMemory: false });
  });
});

describe("an engine", () => {
  it("that keeps to its limits is left alone", async () => {
    const { ending } = await run(own, "a = b'x' * 2**24; print(len(a))");
    expect(await ending).toEqual({
      code: 0,
      signal: null,
      stdout: "16777216\n",
      outOfMemory: false,
    });
  });

  it("cannot write a file above its limit", async () => {
    const { ending, folder } = await run(own, "open('a', 'wb').write(b'x' * 2**21)");
    expect((await ending).code).not.toBe(0);
    expect(existsSync(join(folder, "a"))).toBe(true);
  });

  it("has its CPU time counted", async () => {
    const { ending } = await run(own, "while True: pass", { cpuSeconds: 1 });
    expect((await ending).code).not.toBe(0);
  });

  it("cannot open more files than it may", async () => {
    const program =
      "f = []\ntry:\n  while True: f.append(open('/dev/null'))\nexcept OSError: print(len(f))";
    expect(Number((await (await run(own, program)).ending).stdout)).toBeLessThan(32);
  });

  it("cannot fill the memory behind /tmp, nor write beside its folder", async () => {
    const program = `
import os
for place in ["/a", "/dev/a", "/etc/a", "/usr/a"]:
  try: open(place, "w"); print(place)
  except OSError: pass
print(os.statvfs("/tmp").f_blocks * os.statvfs("/tmp").f_frsize)`;
    expect((await (await run(own, program)).ending).stdout).toBe(`${2 ** 30}\n`);
  });

  it("can change no setting of the machine, root though its runner may be", async () => {
    const program = `
import os
for folder, _, files in os.walk("/proc"):
  if folder.split("/")[2:3] and folder.split("/")[2].isdigit(): continue
  for path in [os.path.join(folder, name) for name in files]:
    if os.access(path, os.W_OK) and not os.path.islink(path): print(path)`;
    expect((await (await run(own, program)).ending).stdout).toBe("");
  });

  it("takes all that it started with it, whatever session they have made their own", async () => {
    const program = `
import os, time
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0:
    while True:
      open("alive", "a").write("x")
      time.sleep(0.01)
time.sleep(60)`;
    const { folder, running, ending } = await run(own, program);
    const file = join(folder, "alive");
    await waitUntil(() => existsSync(file));
    running.kill();
    await ending;
    await waitUntil(async () => !(await hasWriter(file)));
  });
});

/** Whether any process of this machine writes to `file` still. */
async function hasWriter(file: string): Promise<boolean> {
  const { statSync } = await import("node:fs");
  const before = statSync(file).size;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return statSync(file).size > before;
}
