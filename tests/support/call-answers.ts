import { once } from "node:events";
import { type Sandbox, type SpawnRequest, spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { engineLimits } from "./sandbox/engine-limits.ts";

/** What a program that has taken over an engine gets from the kernel. */

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

export interface Answers {
  readonly answers: Readonly<Record<string, number>>;
  readonly opened: readonly string[];
  readonly loopback: number;
  readonly filters: readonly string[];
}

/** Numbers of calls with their first arguments, by name. */
export type Calls = Readonly<Record<string, readonly [number: number, argument: number]>>;

/** Files about the memory of the machine. */
export const kernelFiles = [
  "kallsyms",
  "kmsg",
  "kpagecount",
  "slabinfo",
  "timer_list",
  "iomem",
  "vmallocinfo",
]
  .concat("kpageflags", "kpagecgroup", "ioports", "zoneinfo", "buddyinfo", "pagetypeinfo", "keys")
  .map((name) => `/proc/${name}`);

/** The error numbers of `calls` in the sandbox of `request`; 0 for success. */
export async function answersOf(
  sandbox: Sandbox,
  request: SpawnRequest,
  calls: Calls,
): Promise<Answers> {
  const target = { calls, files: kernelFiles };
  const args = ["-c", script, JSON.stringify(target)];
  const running = await spawnProcess(
    sandbox,
    { ...request, command: "python3", args },
    engineLimits,
  );
  let stdout = "";
  let stderr = "";
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
