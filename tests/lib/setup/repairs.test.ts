import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { projectFolder } from "#lib/setup/node24.mjs";
import { repairedFiles } from "#lib/setup/repairs.mjs";

const readInstalled = (path: string) => readFileSync(join(projectFolder, path), "utf8");

it("repairs both forms of postgres.js, once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-repairs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(projectFolder, "lib/setup"), join(folder, "lib/setup"), { recursive: true });
  for (const [path, replacements] of repairedFiles) {
    let text = readInstalled(path);
    for (const [faulty, repaired] of replacements) {
      expect(text.split(repaired), `${path}: ${repaired}`).toHaveLength(2);
      text = text.replace(repaired, faulty);
      expect(text.split(faulty), `${path}: ${faulty}`).toHaveLength(2);
    }
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { repairPackages } = await import(
    pathToFileURL(join(folder, "lib/setup/repairs.mjs")).href
  );
  for (const _ of [1, 2]) {
    repairPackages();
    for (const [path] of repairedFiles) {
      expect(readFileSync(join(folder, path), "utf8")).toBe(readInstalled(path));
    }
  }
});
