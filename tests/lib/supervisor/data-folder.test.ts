import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeImagePool } from "#lib/engines/worker/pool.ts";
import { dataPath, env } from "#lib/env.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import { storage } from "#lib/storage/index.ts";
import { claimDataFolder, keepSecret, makeDataFolder } from "#lib/supervisor/data-folder.ts";
import { StartError } from "#lib/supervisor/start-error.ts";
import { runOperation } from "#tests/support/operation.ts";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const module = `${import.meta.dirname}/../../../lib/supervisor/data-folder.ts`;

test.each(["service", "admin"] as const)(
  "a folder in use tells that its holder is %s",
  async (as) => {
    const folder = join(await temporaryFolder(), "data");
    const claimed = claimDataFolder(folder, as);
    expect(claimDataFolder(folder, "service")).toEqual({ holder: as });
    if ("release" in claimed) claimed.release();
    expect(claimDataFolder(folder, "service")).toHaveProperty("path", folder);
  },
);

test("a folder that cannot be made stops the start with one line that names DATA_DIR", async () => {
  const file = join(await temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => claimDataFolder(join(file, "data"), "service")).toThrow(StartError);
  expect(() => claimDataFolder(join(file, "data"), "service")).toThrow(/^DATA_DIR: /);
});

describe("customers' files in a data folder that everybody may enter", () => {
  /** As a user who owns nothing here; only root may try. */
  const readAsStranger = (path: string) =>
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
    makeDataFolder(env.DATA_DIR);
    return image.png().toFile(join(env.DATA_DIR, "work", "picture.png"));
  });
  afterAll(closeImagePool);

  test("lie where no other user can list, enter or read", async () => {
    await storage().write("outputs/job/0", Readable.from(["secret"]));
    const stored = dataPath("storage", "outputs", "job", "0");
    expect(readFileSync(stored, "utf8")).toBe("secret");
    for (const name of ["storage", "work"])
      expect(statSync(dataPath(name)).mode & 0o777).toBe(0o700);
    expect(statSync(env.DATA_DIR).mode & 0o777).toBe(0o755);
    if (!isRoot) return;
    expect(readAsStranger(dataPath("public"))).toBe(0);
    for (const path of [stored, dataPath("work", "picture.png")]) {
      expect(readAsStranger(path)).not.toBe(0);
    }
  });

  test("are there for the engines in their sandboxes", async () => {
    const sample = { type: "png", path: dataPath("work", "picture.png") } as const;
    const { outputs } = await runOperation(sharpen, sample, {});
    expect(outputs[0]).toMatchObject({ width: 32, height: 32 });
  });
});

test("it is made with what lies above it, and taken as it is the next time", async () => {
  const folder = join(await temporaryFolder(), "a", "b");
  makeDataFolder(folder);
  makeDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
  expect(statSync(join(folder, "storage")).mode & 0o777).toBe(0o700);
});

test("the secret is made once, readable by its owner alone, and the same for all who ask at once", async () => {
  const folder = join(await temporaryFolder(), "data");
  const code = `import { keepSecret } from ${JSON.stringify(module)};
    process.stdout.write(keepSecret(${JSON.stringify(folder)}));`;
  const programs = [1, 2, 3, 4].map(() => new Program(["--input-type=module", "-e", code]));
  const finished = await Promise.all(programs.map((program) => program.finished));
  const secrets = new Set([...finished.map(({ stdout }) => stdout), keepSecret(folder)]);
  expect([...secrets]).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
});
