import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, inject, it } from "vitest";
import { buildPackage } from "#scripts/commands/clients/packages.ts";
import { buildWheel, python } from "#scripts/commands/clients/python-wheel.ts";

/** The packages, installed from their files into empty folders without a registry, and one call of each. */

const execute = promisify(execFile);
const { url, apiKey } = inject("service");
const root = mkdtempSync(join(tmpdir(), "mediamill-packages-"));
const dist = join(root, "dist");
mkdirSync(dist);

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** An empty folder into which npm has installed the package from its tarball. */
async function install(name: string): Promise<string> {
  const tarball = await buildPackage(name, dist);
  const folder = join(root, name);
  mkdirSync(folder);
  // n8n itself brings the peer dependency of its nodes.
  const options = ["--offline", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  // Else npm installs into a folder above that happens to have packages.
  options.push("--prefix", folder);
  const env = { ...process.env, npm_config_cache: join(root, "cache") };
  await execute("npm", ["install", ...options, tarball], { cwd: folder, env });
  return folder;
}

const environment = { ...process.env, MEDIAMILL_BASE_URL: url, MEDIAMILL_API_KEY: apiKey };

/** Runs a script of Node in `folder`; returns what it prints. */
async function runScript(folder: string, name: string, script: string): Promise<string> {
  writeFileSync(join(folder, name), script);
  const { stdout } = await execute(process.execPath, [name], { cwd: folder, env: environment });
  return stdout.trim();
}

it("the SDK", async () => {
  const script = `
    import { Mediamill } from "@mediamill/sdk";
    const job = await new Mediamill().run("image/qr-code", { text: "a" });
    console.log(job.status, job.output.filename);`;
  const printed = await runScript(await install("sdk"), "call.mjs", script);
  expect(printed).toBe("completed qr-code.png");
});

it("the n8n nodes", async () => {
  const folder = await install("n8n");
  const workflow = join(folder, "node_modules/n8n-workflow");
  mkdirSync(workflow);
  const source = join(import.meta.dirname, "../../clients/n8n-workflow.cjs");
  writeFileSync(join(workflow, "index.js"), `module.exports = require(${JSON.stringify(source)});`);
  const script = `
    const { n8n } = require("n8n-nodes-mediamill/package.json");
    const names = [...n8n.nodes, ...n8n.credentials].map((path) => {
      const loaded = new (Object.values(require("n8n-nodes-mediamill/" + path))[0])();
      return loaded.description?.name ?? loaded.name;
    });
    console.log(names.join(" "));`;
  const printed = await runScript(folder, "load.cjs", script);
  expect(printed).toBe("mediamill mediamillTrigger mediamillApi");
});

it("the command line", async () => {
  const folder = await install("cli");
  const program = join(folder, "node_modules/.bin/mediamill");
  const words = ["image", "qr-code", "--text", "a", "-o", "code.png"];
  const env = { ...environment, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const { stdout } = await execute(program, words, { cwd: folder, env });
  expect(stdout.trim()).toBe("code.png");
  expect(readFileSync(join(folder, "code.png")).subarray(1, 4).toString()).toBe("PNG");
});

it("the Python package", async () => {
  const wheel = await buildWheel(dist);
  const folder = join(root, "python");
  // A wheel is installed by unpacking it; pip is not on every machine.
  await execute(python, ["-m", "zipfile", "-e", wheel, folder]);
  const script = `
from mediamill import Mediamill
job = Mediamill().run("image/qr-code", text="a")
print(job.status, job.output.filename)`;
  const env = { ...environment, PYTHONPATH: folder };
  const { stdout } = await execute(python, ["-c", script], { cwd: root, env });
  expect(stdout.trim()).toBe("completed qr-code.png");
});
