import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AdminError, parseCall } from "#scripts/admin/arguments.ts";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const root = join(import.meta.dirname, "../..");

async function admin(...args: string[]) {
  const DATA_DIR = join(await temporaryFolder(), "data");
  const program = new Program([join(root, "scripts/run.mjs"), "admin", ...args], { DATA_DIR });
  const finished = await program.exited;
  expect(existsSync(DATA_DIR)).toBe(false);
  return finished;
}

test("--help prints every command in the README", async () => {
  expect(parseCall(["-h"])).toBe("help");
  const { code, stdout, stderr } = await admin("--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const documented = [...readme.matchAll(/^npm run --silent admin -- ([a-z -]+?) --/gm)];
  expect(documented.length).toBeGreaterThan(5);
  for (const [, command = ""] of documented) expect(stdout).toContain(`admin -- ${command} --`);
  expect(stdout).toContain("account create --email … [--plan …] [--password …]\n");
});

test.each([
  [["acount", "list"], /^Unknown command acount list; /],
  [[], /^A command is required; /],
  [["account", "list", "--verbose"], /^Unknown option --verbose; /],
  [
    ["account", "list", "--email", "a@b.test"],
    /^The command account list has no option --email\.$/,
  ],
  [["key", "create"], /^--email is required\.$/],
  [["key", "create", "--email"], /--email/],
  [
    ["account", "create", "--email", "a@b.test", "--password", "short"],
    /^--password is not valid: A password needs at least 8 characters\.$/,
  ],
  [
    ["account", "set-password", "--email", "a@b.test", "--password", "Password1"],
    /^--password is not valid: That password is one of the most common ones\. Choose another\.$/,
  ],
])("%j is one line that says why", (args, line) => {
  const parse = () => parseCall(args);
  expect(parse).toThrow(AdminError);
  expect(parse).toThrow(line);
  expect(parse).not.toThrow(/\n/);
});

test("a mistake is printed as one line on stderr, and the exit code is 1, without a database", async () => {
  const { code, stdout, stderr } = await admin("key", "create");
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: "--email is required.\n",
  });
});
