import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { projectFolder } from "#lib/engines/sandbox/bubblewrap/arguments.ts";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { type Sandbox, type SpawnRequest, spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { SlotFolder } from "#lib/engines/warm/slot-folder.ts";
import { dataPath } from "#lib/env.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { engineCommands } from "#tests/support/engine-views.ts";
import { engineLimits } from "#tests/support/sandbox/engine-limits.ts";

/**
 * Two jobs at the same time: what a process of one job can access of the other and of the machine.
 */

const secret = "a secret of the other job";

/** Tries to access everything, and prints as JSON what succeeded. */
const probe = `
import json, os, socket, sys
target = json.loads(sys.argv[1])
found = {}
writable = "out" if os.path.isdir("out") else "."
def attempt(name, work):
  try:
    result = work()
    if result: found[name] = result
  except Exception: pass
def read(path):
  return lambda: (os.path.isdir(path) and os.listdir(path)) or open(path, errors="replace").read(200)
for path in target["paths"]: attempt(path, read(path))
for depth in range(1, 8):
  for path in target["paths"]: attempt("up " + path, read("/job/" + "../.." * depth + path))
for number, path in enumerate(target["paths"]):
  link = writable + "/link-%d" % number
  attempt("link " + path, lambda: os.symlink(path, link) or read(link)())
  attempt("hard link " + path, lambda: os.link(path, writable + "/hard-%d" % number) or True)
listed = []
attempt("list of processes", lambda: listed.extend(os.listdir("/proc")))
if str(target["pid"]) in listed: found["process"] = target["pid"]
for pid in {str(target["pid"]), *filter(str.isdigit, listed)}:
  attempt("environment " + pid, lambda: b"OTHER_JOB" in open("/proc/%s/environ" % pid, "rb").read())
def connect(family, address):
  return lambda: socket.socket(family, socket.SOCK_STREAM).connect(address) or True
attempt("loopback", connect(socket.AF_INET, ("127.0.0.1", target["port"])))
attempt("all addresses", connect(socket.AF_INET, ("0.0.0.0", target["port"])))
attempt("socket", connect(socket.AF_UNIX, target["socket"]))
attempt("abstract socket", connect(socket.AF_UNIX, "\\0" + target["abstract"]))
attempt("ptrace", lambda: os.kill(target["pid"], 0) or True)
print(json.dumps({"own": open("mine").read(), "found": found}))
`;

const sandbox = await currentSandbox();

const hits = { count: 0 };
const servers: Server[] = [];
const socketPath = join(tmpdir(), `other-job-${process.pid}.sock`);
const abstractName = `mediamill-other-job-${process.pid}`;
let port: number;

beforeAll(async () => {
  process.env.OTHER_JOB = secret;
  const abstract = { path: `\0${abstractName}` };
  for (const address of [{ port: 0, host: "0.0.0.0" }, { path: socketPath }, abstract]) {
    const server = createServer((socket) => socket.destroy(void hits.count++)).listen(address);
    await once(server, "listening");
    servers.push(server);
  }
  const address = servers[0]?.address();
  port = typeof address === "object" && address ? address.port : 0;
});

afterAll(async () => {
  for (const server of servers) server.close();
  delete process.env.OTHER_JOB;
});

async function slotWith(name: string, content: string): Promise<SlotFolder> {
  const slot = await SlotFolder.create("image");
  writeFileSync(join(slot.root, name), content);
  return slot;
}

/** Runs the probe in `sandbox` with the view of `request`. */
async function runProbe(
  sandbox: Sandbox,
  request: SpawnRequest,
  paths: readonly string[],
): Promise<{ own: string; found: Record<string, unknown>; hits: number }> {
  const before = hits.count;
  const target = { paths, port, socket: socketPath, abstract: abstractName, pid: process.pid };
  const args = ["-c", probe, JSON.stringify(target)];
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
  return { ...JSON.parse(stdout), hits: hits.count - before };
}

/**
 * Creates the files of two jobs. Returns the slot folder of the first and the paths that it must not
 * access.
 */
async function twoJobs() {
  const mine = await slotWith("mine", "my own");
  const theirs = await slotWith("theirs", secret);
  const job = WorkFolder.create(dataPath("work", `job-${theirs.root.slice(-12)}`), {
    network: noNetwork,
  });
  const input = job.input("txt");
  writeFileSync(input.path, secret);
  mkdirSync(dataPath("storage"), { recursive: true });
  writeFileSync(dataPath("storage", "stored"), secret);
  onTestFinished(async () => {
    await Promise.all([mine.remove(), theirs.remove(), job.remove()]);
  });
  const otherJob = [theirs.root, join(theirs.root, "theirs"), job.root, input.path];
  const data = [dataPath(), dataPath("storage"), dataPath("storage", "stored")];
  const system = ["/etc/passwd", "/etc/hostname", "/root", "/home", "/var/lib", "/run", "/sys"];
  const project = ["app", "scripts", "tests", "package-lock.json", ".git"];
  return {
    slot: mine,
    secrets: [...otherJob, ...data],
    others: [...system, ...project.map((name) => join(projectFolder(), name))],
  };
}

/** At the level `full`, a process is executed or is a copy of a zygote. */
const ways = [
  { way: "full", level: "full", zygotePrograms: new Set<string>() },
  {
    way: "full, by bubblewrap,",
    level: "full",
    zygotePrograms: new Set<string>(),
    prepares: false,
  },
  { way: "full, copied,", level: "full", zygotePrograms: new Set(["python3"]) },
  { way: "strict", level: "strict", zygotePrograms: new Set<string>() },
] as const;
const cases = ways.flatMap((way) =>
  Object.entries(engineCommands).map(([name, command]) => ({ ...way, name, command })),
);

describe.each(cases)(
  "in the sandbox $way of $name",
  ({ command, name: _, way: __, ...isolation }) => {
    it("a job can access its own file, but no other job and not the machine", async () => {
      const { slot, secrets, others } = await twoJobs();
      const paths = [...secrets, ...others, `/proc/${process.pid}/environ`];
      const isolated = { ...sandbox, ...isolation };
      const { own, found, hits } = await runProbe(isolated, command(slot, isolation.level), paths);
      expect({ own, found, hits }).toEqual({ own: "my own", found: {}, hits: 0 });
    });
  },
);

it("the same job can access all of it without a sandbox", async () => {
  const { slot, secrets } = await twoJobs();
  const open = { ...sandbox, level: "off" as const };
  const { found, hits } = await runProbe(
    open,
    { command: "", args: [], folder: slot.root },
    secrets,
  );
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining([...secrets, "loopback", "socket", "abstract socket", "process"]),
  );
  expect(hits).toBeGreaterThan(0);
});
