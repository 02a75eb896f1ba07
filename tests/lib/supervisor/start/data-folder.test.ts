import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import { dataPath, env } from "#lib/env.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import { storage } from "#lib/storage/index.ts";
import { createDataFolder, lockDataFolder } from "#lib/supervisor/start/data-folder.ts";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { runOperation } from "#tests/support/operation.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

test.each(["service", "admin"] as const)(
  "the holder of a locked folder is reported as %s",
  async (holder) => {
    const folder = join(await temporaryFolder(), "data");
    const locked = lockDataFolder(folder, holder);
    expect(lockDataFolder(folder, "service")).toEqual({ holder });
    if ("release" in locked) locked.release();
    expect(lockDataFolder(folder, "service")).toHaveProperty("path", folder);
  },
);

test("a folder that cannot be created stops the start with one line that names DATA_DIR", async () => {
  const file = join(await temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => lockDataFolder(join(file, "data"), "service")).toThrow(StartError);
  expect(() => lockDataFolder(join(file, "data"), "service")).toThrow(/^DATA_DIR: /);
});

describe("customers' files in a data folder that every user may enter", () => {
  /** Reads as another user, which only root can do. Returns the exit code. */
  const readAsOtherUser = (path: string) =>
    spawnSync("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "cat", path]).status;
  const isRoot = process.getuid?.() === 0;

  beforeAll(() => {
    const image = sharp({ create: { width: 32, height: 32, channels: 3, background: "#888" } });
    writeFileSync(join(env.DATA_DIR, "public"), "");
    for (const name of ["storage", "work"]) {
      mkdirSync(join(env.DATA_DIR, name), { recursive: true });
      chmodSync(join(env.DATA_DIR, name), 0o755);
    }
    chmodSync(env.DATA_DIR, 0o755);
    createDataFolder(env.DATA_DIR);
    return image.png().toFile(join(env.DATA_DIR, "work", "image.png"));
  });
  afterAll(closeWorkerPool);

  test("cannot be listed, entered or read by another user", async () => {
    await storage().write("outputs/job/0", Readable.from(["secret"]));
    const stored = dataPath("storage", "outputs", "job", "0");
    expect(readFileSync(stored, "utf8")).toBe("secret");
    for (const name of ["storage", "work"])
      expect(statSync(dataPath(name)).mode & 0o777).toBe(0o700);
    expect(statSync(env.DATA_DIR).mode & 0o777).toBe(0o755);
    if (!isRoot) return;
    expect(readAsOtherUser(dataPath("public"))).toBe(0);
    for (const path of [stored, dataPath("work", "image.png")]) {
      expect(readAsOtherUser(path)).not.toBe(0);
    }
  });

  test("are available to the engines in their sandboxes", async () => {
    const sample = { type: "png", path: dataPath("work", "image.png") } as const;
    const { outputs } = await runOperation(sharpen, sample, {});
    expect(outputs[0]).toMatchObject({ width: 32, height: 32 });
  });
});

test("the folder is created with its parents, and an existing one is used unchanged", async () => {
  const folder = join(await temporaryFolder(), "a", "b");
  createDataFolder(folder);
  createDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
  expect(statSync(join(folder, "storage")).mode & 0o777).toBe(0o700);
});
