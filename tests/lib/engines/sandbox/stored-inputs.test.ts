import { once } from "node:events";
import { statSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runEngine, startEngine } from "#lib/engines/sandbox/run-engine.ts";
import type { SpawnRequest } from "#lib/engines/sandbox/spawn.ts";
import { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { SlotFolder } from "#lib/engines/warm/slot-folder.ts";
import { dataPath } from "#lib/env.ts";
import { createToken } from "#lib/ids.ts";
import { noNetwork } from "#lib/net/no-network.ts";
import { LocalStorage } from "#lib/storage/local.ts";
import { warmCommands } from "#tests/support/engine-views.ts";

/** An input is a hard link to the file in storage. No engine that a file has taken over can change it. */

/** Tries to change the input of its first line on stdin, and prints as JSON what succeeded. */
const attack = `
import json, os, sys
path = sys.stdin.readline().strip()
done = []
def attempt(name, work):
  try:
    work()
    done.append(name)
  except OSError: pass
def write(flags): os.write(os.open(path, flags), b"changed")
def replace_folder():
  os.rename("in", "out/moved")
def change_open_file():
  os.fchmod(os.open(path, os.O_RDONLY), 0o666)
attempt("write", lambda: write(os.O_WRONLY))
attempt("append", lambda: write(os.O_WRONLY | os.O_APPEND))
attempt("empty", lambda: write(os.O_WRONLY | os.O_TRUNC))
attempt("truncate", lambda: os.truncate(path, 1))
attempt("chmod", lambda: os.chmod(path, 0o666))
attempt("fchmod", change_open_file)
attempt("utime", lambda: os.utime(path, (1, 1)))
attempt("xattr", lambda: os.setxattr(path, "user.changed", b"1"))
attempt("link", lambda: os.link(path, "out/link"))
attempt("rename", lambda: os.rename(path, "out/renamed"))
attempt("create next to it", lambda: open("in/other", "w"))
attempt("replace the folder", replace_folder)
attempt("open for writing again", lambda: os.open("/proc/self/fd/%d" % os.open(path, os.O_RDONLY), os.O_WRONLY))
attempt("unlink", lambda: os.unlink(path))
attempt("write an output", lambda: open("out/own", "w"))
print(json.dumps({"read": open(path).read(), "done": done}), flush=True)
`;

const content = "an uploaded file";
const unchanged = { read: content, done: ["write an output"] };

/** A stored file with its link in a work folder, as a job gets it from the local storage. */
async function storeInput() {
  const name = `stored-${createToken()}`;
  const storage = new LocalStorage(dataPath("storage"));
  await mkdir(dataPath("storage"), { recursive: true });
  await storage.write(name, Buffer.from(content));
  const work = WorkFolder.create(dataPath("work", name), { network: noNetwork });
  onTestFinished(() => work.remove());
  const input = work.input("txt");
  await storage.getFile(name, input.path);
  const path = dataPath("storage", name);
  expect(statSync(input.path).ino).toBe(statSync(path).ino);
  return { work, input, path, before: describeFile(path) };
}

function describeFile(path: string) {
  const { mode, size, mtimeMs, ino, uid } = statSync(path);
  return { mode, size, mtimeMs, ino, uid };
}

/** Runs the attack in place of a warm engine, which starts before it gets its file. */
async function attackWarm(request: SpawnRequest, link: () => Promise<string>) {
  const running = await startEngine({ ...request, command: "python3", args: ["-c", attack] });
  onTestFinished(() => running.kill());
  let output = "";
  running.child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  running.child.stdin.write(`${await link()}\n`);
  await once(running.child, "close");
  return JSON.parse(output);
}

describe.each(Object.entries(warmCommands))("%s that was taken over", (_, command) => {
  it("cannot change a stored file that it reads", async () => {
    const { input, path, before } = await storeInput();
    const slot = await SlotFolder.create("image");
    onTestFinished(() => slot.remove());
    const result = await attackWarm(command(slot), () => slot.linkIn(input));
    expect(result).toEqual(unchanged);
    expect(describeFile(path)).toEqual(before);
    expect(statSync(join(slot.root, "in", "in-0.txt")).ino).toBe(before.ino);
    expect(await readFile(path, "utf8")).toBe(content);
  });
});

describe("an engine of one job that was taken over", () => {
  it("cannot change a stored file that it reads", async () => {
    const { work, input, path, before } = await storeInput();
    const { stdout } = await runEngine({
      engine: "ffmpeg",
      command: "python3",
      args: ["-c", attack],
      stdin: `${input.name}\n`,
      ...work.view,
    });
    expect(JSON.parse(stdout.toString())).toEqual(unchanged);
    expect(describeFile(path)).toEqual(before);
    expect(await readFile(path, "utf8")).toBe(content);
  });
});
