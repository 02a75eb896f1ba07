import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { findFault } from "#lib/operations/check-definition.ts";
import { operationGroups } from "#lib/operations/definition.ts";
import {
  listOperationIds,
  renderOperationLists,
  writeOperationLists,
} from "#lib/setup/catalogue.mjs";
import { renderClients } from "#scripts/commands/clients/render-clients.ts";
import { users } from "#tests/support/processes.ts";

const root = join(import.meta.dirname, "../..");

const lists = ["lib/operations/catalogue/generated.ts", "components/samples/generated.ts"];

it("the lists of operations and samples have every folder, in the order of the groups", () => {
  expect(operations.map(({ id }) => id)).toEqual(listOperationIds());
  const groups = [...new Set(operations.map(({ group }) => group))];
  expect(groups).toEqual(operationGroups);
  expect(renderOperationLists().map(({ path }) => path)).toEqual(lists);
  expect(writeOperationLists()).toEqual([]);
});

it("Git has no generated file, and ignores each", () => {
  const paths = [...lists, ...renderClients(operations).map(({ path }) => path)];
  expect(paths.length).toBeGreaterThan(10);
  const git = (...args: string[]) =>
    execFileSync("git", [...args, "--", ...paths], { cwd: root, encoding: "utf8" }).trim();
  expect(git("ls-files")).toBe("");
  expect(git("check-ignore").split("\n")).toEqual(paths);
});

describe("the program that installing packages runs", () => {
  /** A project with only the set-up and these operations; `mode` is that of its folder. */
  function runIn(
    sources: Readonly<Record<string, string>>,
    prefix: readonly string[] = [],
    mode = 0o755,
  ) {
    const folder = mkdtempSync(join(tmpdir(), "mediamill-lists-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(root, "lib/setup"), join(folder, "lib/setup"), { recursive: true });
    for (const [path, source] of Object.entries(sources)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), source);
    }
    chmodSync(folder, mode);
    const script = join(folder, "lib/setup/catalogue.mjs");
    const [command = "", ...args] = [...prefix, process.execPath, script];
    const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
    chmodSync(folder, 0o755);
    const [list = ""] = lists.map((path) => join(folder, path));
    return { status, stderr, list: existsSync(list) ? readFileSync(list, "utf8") : undefined };
  }

  it("writes nothing where the operations are not", () => {
    expect(runIn({})).toEqual({ status: 0, stderr: "", list: undefined });
  });

  it("lists an operation of one folder", () => {
    const path = "lib/operations/image/blur-all/index.ts";
    const { status, list } = runIn({ [path]: "export const blurAll = defineOperation({});\n" });
    expect(status).toBe(0);
    expect(list).toContain('import { blurAll as imageBlurAll } from "../image/blur-all/index.ts";');
    expect(list).toContain("  imageBlurAll,\n];");
  });

  it("says in one line that the user cannot write", () => {
    const path = "lib/operations/image/blur-all/index.ts";
    const source = "export const blurAll = defineOperation({});\n";
    // As another user for root, who can write everywhere.
    const { status, stderr } = runIn({ [path]: source }, users.at(-1)?.prefix, 0o555);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\S+ cannot be written by this user\. Start as the owner [^\n]+\n$/);
  });

  it("names the file of a folder without an operation", () => {
    const { status, stderr } = runIn({ "lib/operations/audio/echo/index.ts": "export {};\n" });
    expect(status).toBe(1);
    expect(stderr).toContain("lib/operations/audio/echo/index.ts must have a line");
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe.each(operations)("$id", (operation) => {
  const { id, sample } = operation;

  it("has a good definition", () => {
    expect(findFault(operation)).toBeUndefined();
  });

  it("has a test in its folder", () => {
    expect(existsSync(join(root, `lib/operations/${id}/${id.split("/")[1]}.test.ts`))).toBe(true);
  });

  it("has a sample of files that exist", () => {
    for (const name of [...sample.inputs, ...Object.values(sample.files)]) {
      expect(existsSync(join(root, "public/samples/inputs", name)), name).toBe(true);
    }
  });
});
