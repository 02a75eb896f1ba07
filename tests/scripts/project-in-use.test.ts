import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tryLock } from "#lib/setup/lock.mjs";
import { projectFolder } from "#lib/setup/node24.mjs";
import { buildPackages } from "#lib/supervisor/start/packages-build.ts";
import { Program, temporaryFolder, users, waitUntil } from "#tests/support/processes.ts";

/** Starts in a folder with this project's code, whose locks and stamps are its own. */

/** Its code is that of this project, and nothing is installed or built there. */
async function makeProject(): Promise<string> {
  const root = await temporaryFolder();
  // All that the lists of the operations are made of, which any command would write if they were not current.
  for (const name of ["components", "lib", "public", "scripts"]) {
    symlinkSync(join(projectFolder, name), join(root, name));
  }
  for (const name of ["package.json", "package-lock.json"]) {
    copyFileSync(join(projectFolder, name), join(root, name));
  }
  for (const name of ["node_modules", ".next", "packages/dist"]) {
    mkdirSync(join(root, name), { recursive: true });
  }
  const packages = readdirSync(join(projectFolder, "node_modules"));
  for (const name of packages.filter((one) => !one.startsWith("."))) {
    symlinkSync(join(projectFolder, "node_modules", name), join(root, "node_modules", name));
  }
  return root;
}

/** Starts Node.js so that code in such a folder takes the folder for the project's. */
function start(args: string[], variables: Record<string, string> = {}, prefix: string[] = []) {
  const keepLinks = ["--preserve-symlinks", "--preserve-symlinks-main"];
  return new Program([...keepLinks, ...args], variables, prefix);
}

/** Writes that the packages are built, and returns a function that does so for the web app. */
async function pretendToBuild(root: string): Promise<() => void> {
  const module = JSON.stringify(join(root, "lib/supervisor/start/build.ts"));
  const code = `import { hashSources } from ${module}; process.stdout.write(hashSources());`;
  const { stdout: hash } = await start(["--input-type=module", "-e", code]).exited;
  writeFileSync(join(root, "build.mjs"), "");
  await buildPackages("build.mjs", hash, (_title, work) => work(() => {}), root);
  return () => writeFileSync(join(root, ".next/mediamill-sources"), hash);
}

/** Makes a program, and returns a PATH on which it is the first of its name. */
async function makeProgram(name: string, script: string): Promise<string> {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

test("a build that is refused ends with one line", async () => {
  const root = await makeProject();
  const release = tryLock(root, { create: false, shared: true });
  const { code, stderr } = await start([join(root, "scripts/build.ts")]).exited;
  expect(stderr).toMatch(/^The sources have changed, and a running Mediamill uses .*\.\n$/);
  expect(code).toBe(1);
  release?.();
});

test("a build that is current is used where files cannot be locked", async () => {
  const root = await makeProject();
  (await pretendToBuild(root))();
  const PATH = await makeProgram("flock", "echo 'flock: 3: No locks available' >&2; exit 71");
  const build = start([join(root, "scripts/build.ts")], { PATH });
  const { code, stderr } = await build.exited;
  expect(stderr).toMatch(/^Another start could replace .*flock: 3: No locks available\n$/);
  expect(code).toBe(0);
});

test("a process that waited for the build of another one needs no permission to write", async () => {
  const root = await makeProject();
  const finishBuild = await pretendToBuild(root);
  const release = tryLock(join(root, "package.json"), { create: false });
  chmodSync(root, 0o555);
  try {
    const unprivileged = [...(users.at(-1)?.prefix ?? [])];
    const build = start([join(root, "scripts/build.ts")], {}, unprivileged);
    await waitUntil(() => build.stderr.includes("waiting for it"));
    finishBuild();
    release?.();
    const { code, stderr } = await build.exited;
    expect(stderr).toBe("Another process is building the web app; waiting for it …\n");
    expect(code).toBe(0);
  } finally {
    chmodSync(root, 0o755);
  }
});

test.each([
  ["the build", "."],
  ["the packages", "node_modules"],
])("packages are not replaced while a process uses %s", async (_name, folder) => {
  const root = await makeProject();
  const release = tryLock(join(root, folder), { create: false, shared: true });
  const PATH = await makeProgram("npm", `touch ${JSON.stringify(join(root, "npm-ran"))}`);
  const command = [join(root, "scripts/run.mjs"), "catalogue"];
  const { code, stderr } = await start(command, { PATH }).exited;
  expect(stderr).toMatch(/^The packages have changed, and a running Mediamill uses .*\.\n$/);
  expect(code).toBe(1);
  expect(existsSync(join(root, "npm-ran"))).toBe(false);
  release?.();
});

test("a port in use stops the first start before packages are installed", async () => {
  const root = await makeProject();
  const server = createServer().listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const PATH = await makeProgram("npm", `touch ${JSON.stringify(join(root, "npm-ran"))}`);
  const { code, stderr } = await start([join(root, "scripts/start.mjs")], {
    PATH,
    PORT: String(port),
  }).exited;
  expect(stderr).toBe(`PORT: ${port} is in use; set PORT to a free port\n`);
  expect(code).toBe(1);
  expect(existsSync(join(root, "npm-ran"))).toBe(false);
});

test("an invalid variable stops the first start before anything is built", async () => {
  const root = await makeProject();
  const PATH = await makeProgram("npm", "exit 0");
  const DATA_DIR = join(root, "data");
  const { code, stderr } = await start([join(root, "scripts/start.mjs")], {
    PATH,
    DATA_DIR,
    STORAGE: "ftp",
  }).exited;
  expect(stderr.trimEnd().split("\n").at(-1)).toBe(
    "STORAGE: must be one of local, s3, uploadthing",
  );
  expect(stderr).not.toContain("Building");
  expect(code).toBe(1);
});
