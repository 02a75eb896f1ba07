import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import {
  architectures,
  checkedCalls,
  deniedCalls,
} from "#lib/engines/sandbox/seccomp/system-calls.ts";
import {
  type ResourceLimits,
  type SpawnRequest,
  spawnProcess,
} from "#lib/engines/sandbox/spawn.ts";
import { SlotFolder } from "#lib/engines/warm/slot-folder.ts";
import { engineCommands } from "#tests/support/engine-views.ts";

/** What a program that has taken over an engine gets from the kernel. */

const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;

/**
 * Makes each call with zeros as arguments except the first, and prints the error numbers. Only for a
 * sandbox: root could change the machine with some of them.
 */
const script = `
import ctypes, json, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(number, argument):
  ctypes.set_errno(0)
  result = libc.syscall(number, ctypes.c_long(argument), 0, 0, 0, 0, 0)
  return ctypes.get_errno() if result == -1 else 0
def inChild(number, argument):
  pid = os.fork()
  if pid == 0: os._exit(call(number, argument))
  return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
target = json.loads(sys.argv[1])
answers = {name: inChild(*call) for name, call in target["calls"].items()}
def opens(path):
  try: open(path).close()
  except OSError: return False
  return True
def connects(family):
  try:
    with socket.socket(family) as a, socket.socket(family) as b:
      a.bind(("127.0.0.1", 0)); a.listen(); b.connect(a.getsockname())
  except OSError as error: return error.errno
  return 0
status = open("/proc/self/status").read()
print(json.dumps({
  "answers": answers,
  "opened": [path for path in target["files"] if opens(path)],
  "loopback": connects(socket.AF_INET),
  "filters": [line.split()[1] for line in status.splitlines() if line.startswith("Seccomp:")],
}))
`;

interface Answers {
  readonly answers: Readonly<Record<string, number>>;
  readonly opened: readonly string[];
  readonly loopback: number;
  readonly filters: readonly string[];
}

const limits: ResourceLimits = {
  memoryBytes: 2 ** 30,
  limitsAddressSpace: false,
  processes: 64,
  cpuSeconds: 60,
  fileBytes: 2 ** 20,
  openFiles: 256,
};

const sandbox = await currentSandbox();

const { column } = architectures[process.arch === "arm64" ? "arm64" : "x64"];

/** The calls of the table that this architecture has. */
const denied = Object.entries(deniedCalls).flatMap(([name, numbers]) => {
  const number = numbers[column];
  return number === null ? [] : [[name, [number, -1]] as const];
});

const [newUser, newMount, threadSignal] = [0x10000000, 0x20000, 17];

const checked = [
  ["clone3", [checkedCalls.clone3[column], 0]],
  ["clone in a user namespace", [checkedCalls.clone[column], newUser | threadSignal]],
  ["clone in a mount namespace", [checkedCalls.clone[column], newMount | threadSignal]],
  ["unshare of the user namespace", [checkedCalls.unshare[column], newUser]],
  ["unshare of the mount namespace", [checkedCalls.unshare[column], newMount]],
  ["netlink", [checkedCalls.socket[column], 16]],
  ["packet", [checkedCalls.socket[column], 17]],
  ["AF_ALG", [checkedCalls.socket[column], 38]],
  ["AF_VSOCK", [checkedCalls.socket[column], 40]],
] as const;

const files = ["kallsyms", "kmsg", "kpagecount", "slabinfo", "timer_list", "iomem", "vmallocinfo"]
  .concat("kpageflags", "kpagecgroup", "ioports", "zoneinfo", "buddyinfo", "pagetypeinfo", "keys")
  .map((name) => `/proc/${name}`);

async function run(request: SpawnRequest, level = sandbox.level): Promise<Answers> {
  const target = { calls: Object.fromEntries([...denied, ...checked]), files };
  const args = ["-c", script, JSON.stringify(target)];
  const running = spawnProcess(
    { ...sandbox, level },
    { ...request, command: "python3", args },
    limits,
  );
  let [stdout, stderr] = ["", ""];
  running.child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  running.child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await once(running.child, "close");
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

async function emptySlot(): Promise<SlotFolder> {
  const slot = await SlotFolder.create("image");
  onTestFinished(() => slot.remove());
  return slot;
}

const { Chromium: chromium = missing, ...others } = engineCommands;

function missing(): never {
  throw new Error("the browser is not among the engines");
}

const refused = Object.fromEntries(denied.map(([name]) => [name, EPERM]));
const refusedSockets = {
  netlink: EAFNOSUPPORT,
  packet: EAFNOSUPPORT,
  AF_ALG: EAFNOSUPPORT,
  AF_VSOCK: EAFNOSUPPORT,
};

describe.each(Object.entries(others))("%s", (_, command) => {
  it("gets no dangerous call, no Internet socket and no file of the kernel", async () => {
    const { answers, opened, loopback, filters } = await run(command(await emptySlot()));
    expect(answers).toEqual({
      ...{ ...refused, ...refusedSockets },
      ...{
        clone3: ENOSYS,
        "clone in a user namespace": EPERM,
        "clone in a mount namespace": EPERM,
      },
      ...{ "unshare of the user namespace": EPERM, "unshare of the mount namespace": EPERM },
    });
    expect({ opened, loopback, filters }).toEqual({
      opened: [],
      loopback: EAFNOSUPPORT,
      filters: ["2"],
    });
  });
});

describe("Chromium", () => {
  it("gets user namespaces and loopback for its own sandbox and its proxy, nothing else", async () => {
    const { answers, opened, loopback } = await run(chromium(await emptySlot()));
    expect(answers).toEqual({
      ...{ ...refused, ...refusedSockets },
      ...{ clone3: ENOSYS, "clone in a user namespace": 0, "clone in a mount namespace": EPERM },
      ...{ "unshare of the user namespace": 0, "unshare of the mount namespace": EPERM },
    });
    expect({ opened, loopback }).toEqual({ opened: [], loopback: 0 });
  });
});

it("the kernel itself answers some of the calls otherwise", async () => {
  // Still in bubblewrap: outside, root would end up with another host name, among other things.
  const { answers, loopback, filters } = await run(
    { command: "", args: [], folder: (await emptySlot()).root },
    "unfiltered",
  );
  const { process_vm_readv, kcmp, add_key, clone3 } = answers;
  expect([process_vm_readv, kcmp, add_key, clone3]).not.toContain(EPERM);
  expect(answers.netlink).not.toBe(EAFNOSUPPORT);
  expect({ loopback, filters }).toEqual({ loopback: 0, filters: ["0"] });
  expect(files.some((path) => existsSync(path))).toBe(true);
});
