import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { soakTools } from "#lib/setup/engine-table.mjs";

const root = join(import.meta.dirname, "../../..");

it("the tools of the long run belong to programs that exist, and the docs name them", () => {
  const names = Object.keys(soakTools);
  expect(names).not.toEqual([]);
  for (const name of names) {
    expect([name, existsSync(join(root, `tests/soak/${name}.soak.ts`))]).toEqual([name, true]);
  }
  const docs = readFileSync(join(root, "docs/architecture/dependencies.md"), "utf8");
  const [, section = ""] = /^## Only for the long run$(.*?)^## /ms.exec(docs) ?? [];
  for (const { name } of Object.values(soakTools).flat()) {
    expect(section).toContain(`| ${name.split(",")[0]}`);
  }
});
