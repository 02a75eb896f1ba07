import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/**
 * A tracer (ptrace(2)) that waits until a child of SERVER has started another process, and kills TARGET before that child
 * returns to its program: the child itself ("maker"), while the server is held for half a second, or the server. "parent"
 * is a server that starts processes itself. Then it prints the id of the started process.
 */
const tracer = `
import ctypes, os, signal, sys, time
server, target = int(sys.argv[1]), sys.argv[2]
libc = ctypes.CDLL(None)
libc.ptrace.argtypes = [ctypes.c_long] * 4
CONTINUE, DETACH, EVENT, SEIZE, INTERRUPT = 7, 17, 0x4201, 0x4206, 0x4207
FORK, VFORK, CLONE, STOPPED, ANY = 1, 2, 3, 128, 0x40000000
def ptrace(request, pid, data=0): return libc.ptrace(request, pid, 0, data)
def message(pid):
  text = ctypes.c_ulong()
  ptrace(EVENT, pid, ctypes.addressof(text))
  return text.value
def is_in_sandbox(pid):
  return os.readlink(f"/proc/{pid}/ns/pid") != os.readlink("/proc/self/ns/pid")
if ptrace(SEIZE, server, 1 << FORK | 1 << VFORK | 1 << CLONE) != 0: sys.exit("not traced")
print("ready", flush=True)
maker = started = None
stopped = set()
while not started or started not in stopped:
  pid, status = os.waitpid(-1, ANY)
  if not os.WIFSTOPPED(status): continue
  event = status >> 16
  if event == STOPPED and pid != server and (target == "parent" or is_in_sandbox(pid)): stopped.add(pid)
  elif event in (FORK, CLONE) and (target == "parent" or pid != server): maker, started = pid, message(pid)
  else: ptrace(CONTINUE, pid, 0 if event else os.WSTOPSIG(status))
if target != "maker":
  os.kill(server, signal.SIGKILL)
  while os.waitpid(server, ANY)[1] >> 16: pass
  ptrace(DETACH, started)
  time.sleep(0.5)
  ptrace(DETACH, maker)
else:
  ptrace(INTERRUPT, server)
  os.kill(maker, signal.SIGKILL)
  ptrace(DETACH, started)
  time.sleep(0.5)
  while not os.WIFSTOPPED(os.waitpid(server, ANY)[1]): pass
  ptrace(DETACH, server)
print(started, flush=True)
`;

/** The bit of the capability to trace other processes (capabilities(7)): a server cannot be traced without it. */
const tracing = 1n << 19n;

/** Whether this process may trace the servers that start engines. */
export function canTrace(): boolean {
  const status = readFileSync("/proc/self/status", "latin1");
  const [, capabilities = "0"] = /^\w+Eff:\s*(\w+)$/m.exec(status) ?? [];
  return (BigInt(`0x${capabilities}`) & tracing) !== 0n;
}

/** Kills `target` when `server` starts the next process. Resolves with the id of this process. */
export async function killAtStart(server: number, target: "maker" | "server" | "parent") {
  const child = spawn("python3", ["-c", tracer, String(server), target], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  await once(lines, "line");
  return { started: once(lines, "line").then(([line]) => Number(line)) };
}
