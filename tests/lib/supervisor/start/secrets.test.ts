import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSecrets, rotateSecretFile } from "#lib/supervisor/start/secrets.ts";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const module = `${import.meta.dirname}/../../../../lib/supervisor/start/secrets.ts`;
const generated = /^[\w-]{43}$/;

test("the secret is created once, readable only by its owner, the same for concurrent callers", async () => {
  const DATA_DIR = join(await temporaryFolder(), "data");
  const code = `import { loadSecrets } from ${JSON.stringify(module)};
    process.stdout.write(loadSecrets({ DATA_DIR: ${JSON.stringify(DATA_DIR)} }).SECRET);`;
  const programs = [1, 2, 3, 4].map(() => new Program(["--input-type=module", "-e", code]));
  const finished = await Promise.all(programs.map((program) => program.exited));
  const secrets = new Set(finished.map(({ stdout }) => stdout));
  expect([...secrets]).toEqual([expect.stringMatching(generated)]);
  expect([...secrets]).toEqual([loadSecrets({ DATA_DIR }).SECRET]);
  expect(statSync(join(DATA_DIR, "secret")).mode & 0o777).toBe(0o600);
});

test("a rotation keeps the secret as the previous one, and another one replaces that", async () => {
  const DATA_DIR = join(await temporaryFolder(), "data");
  const first = loadSecrets({ DATA_DIR });
  expect(first).toEqual({ SECRET: expect.stringMatching(generated) });
  rotateSecretFile(DATA_DIR);
  const second = loadSecrets({ DATA_DIR });
  expect(second.SECRET).toMatch(generated);
  expect(second).toEqual({ SECRET: second.SECRET, SECRET_PREVIOUS: first.SECRET });
  expect(second.SECRET).not.toBe(first.SECRET);
  rotateSecretFile(DATA_DIR);
  expect(loadSecrets({ DATA_DIR }).SECRET_PREVIOUS).toBe(second.SECRET);
  for (const name of ["secret", "secret-previous"]) {
    expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
  }
  rmSync(join(DATA_DIR, "secret-previous"));
  expect(loadSecrets({ DATA_DIR })).not.toHaveProperty("SECRET_PREVIOUS");
});

test("the environment has precedence, and then the files are not used", async () => {
  const DATA_DIR = join(await temporaryFolder(), "data");
  loadSecrets({ DATA_DIR });
  rotateSecretFile(DATA_DIR);
  const before = readFileSync(join(DATA_DIR, "secret"), "utf8");
  expect(loadSecrets({ DATA_DIR, SECRET: "s" })).toEqual({ SECRET: "s" });
  const both = { SECRET: "s", SECRET_PREVIOUS: "p" };
  expect(loadSecrets({ DATA_DIR, ...both })).toEqual(both);
  expect(readFileSync(join(DATA_DIR, "secret"), "utf8")).toBe(before);
  expect(existsSync(join(DATA_DIR, "secret-previous"))).toBe(true);
});
