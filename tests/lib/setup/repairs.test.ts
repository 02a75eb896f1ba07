import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { projectFolder } from "#lib/setup/node24.mjs";

const forms = ["src", "cjs/src"].map((name) => `node_modules/postgres/${name}/connection.js`);
const repaired = "if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED'";
const reset = "    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)\n";
const faulty = repaired.replace(/^if \((.*?)\) /, "!hadError && ($1) && ");

it("repairs both forms of postgres.js, once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-repairs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(projectFolder, "lib/setup"), join(folder, "lib/setup"), { recursive: true });
  for (const path of forms) {
    const installed = readFileSync(join(projectFolder, path), "utf8");
    expect(installed).toContain(repaired);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    expect(installed).toContain(reset);
    const before = installed.replace(repaired, faulty).replace(reset, reset.replace(/^.*\n/, ""));
    for (const part of [repaired, reset]) expect(before).not.toContain(part);
    writeFileSync(join(folder, path), before);
  }
  const { repairPackages } = await import(
    pathToFileURL(join(folder, "lib/setup/repairs.mjs")).href
  );
  for (const _ of [1, 2]) {
    repairPackages();
    for (const path of forms) {
      const text = readFileSync(join(folder, path), "utf8");
      expect(text).toBe(readFileSync(join(projectFolder, path), "utf8"));
    }
  }
});
