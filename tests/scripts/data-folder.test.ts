import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimDataFolder, keepSecret } from "#scripts/supervisor/data-folder.ts";
import { StartError } from "#scripts/supervisor/start-error.ts";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const module = `${import.meta.dirname}/../../scripts/supervisor/data-folder.ts`;

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
