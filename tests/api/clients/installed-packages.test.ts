import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, expect, inject, it } from "vitest";
import { firstSnippets } from "#components/code/first-snippets.ts";
import { installCommand, mcpCommand } from "#lib/api/endpoints/packages/client-packages.ts";
import { python } from "#scripts/commands/clients/python-wheel.ts";

/**
 * The first code that a user copies: its first line installs the package from the service into an empty
 * folder, and the rest creates a PDF. No registry can be reached.
 */

const execute = promisify(execFile);
const { url, apiKey } = inject("service");
const snippets = firstSnippets(url, apiKey);
const root = mkdtempSync(join(tmpdir(), "mediamill-packages-"));

afterAll(() => rmSync(root, { recursive: true, force: true }));

const inherited = Object.entries(process.env).filter(([name]) => !/^(?:npm_|PIP_)/i.test(name));

/** The environment of a user of `folder`, which is the home and the prefix of npm too. */
function environmentOf(folder: string) {
  return {
    NODE_ENV: "production" as const,
    ...Object.fromEntries(inherited.map(([name, value]) => [name, value ?? ""])),
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    npm_config_cache: join(root, "cache"),
    npm_config_prefix: folder,
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    PIP_NO_INDEX: "1",
    PIP_NO_CACHE_DIR: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
  };
}

function makeFolder(name: string): string {
  // Another one for each try.
  const folder = mkdtempSync(join(root, `${name}-`));
  // Else npm installs into a folder above that happens to have packages.
  writeFileSync(join(folder, "package.json"), "{}");
  return folder;
}

/** Runs a line of a shell in `folder`; returns what it prints. */
async function run(folder: string, line: string): Promise<string> {
  const { stdout } = await execute("sh", ["-c", line], { cwd: folder, env: environmentOf(folder) });
  return stdout.trim();
}

/** Runs the install line of a code tab, and then the code with `program`. */
async function followSnippet(folder: string, code: string, name: string, program: string) {
  const [first = "", ...rest] = code.split("\n");
  const [, line = ""] = /^(?:#|\/\/) ((?:npm|pip) install .+)$/.exec(first) ?? [];
  expect(line).toContain(`${url}/packages/`);
  await run(folder, line);
  writeFileSync(join(folder, name), rest.join("\n"));
  return run(folder, `${program} ${name}`);
}

async function expectPdf(output: string): Promise<void> {
  expect(output).toMatch(/^http\S+$/);
  const bytes = Buffer.from(await (await fetch(output)).arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
}

it("TypeScript: npm installs the SDK", async () => {
  const folder = makeFolder("sdk");
  await expectPdf(
    await followSnippet(folder, snippets.typescript, "first.mts", `'${process.execPath}'`),
  );
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(dependencies).toEqual({ "@mediamill/sdk": `${url}/packages/mediamill-sdk.tgz` });
});

it("Python: pip installs the wheel, by its URL and from the index", async () => {
  const folder = makeFolder("python");
  // With the packages of the system, because no index has those that the wheel needs.
  await execute(python, ["-m", "venv", "--system-site-packages", folder]);
  await expectPdf(await followSnippet(folder, snippets.python, "first.py", "python"));
  const download = `PIP_NO_INDEX= pip download --no-deps --index-url ${url}/packages/simple mediamill`;
  await run(folder, download);
  expect(readdirSync(folder)).toContain("mediamill-1.0.0-py3-none-any.whl");
}, 180_000);

it("the command line: npm installs it as a command", async () => {
  const folder = makeFolder("cli");
  await followSnippet(folder, snippets.cli, "first.sh", "sh");
  expect(readFileSync(join(folder, "out/hello.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
});

it("the MCP server: npx starts it", async () => {
  const folder = makeFolder("mcp");
  const [command = "", ...args] = mcpCommand(url).split(" ");
  const client = new McpClient({ name: "test", version: "1.0.0" });
  const env = { ...environmentOf(folder), MEDIAMILL_BASE_URL: url, MEDIAMILL_API_KEY: apiKey };
  await client.connect(new StdioClientTransport({ command, args, env, cwd: folder }));
  try {
    const params = { operation: "image/qr-code", params: { text: "hello" } };
    const result = await client.callTool({ name: "run_operation", arguments: params });
    expect(result.structuredContent).toMatchObject({ status: "completed" });
  } finally {
    await client.close();
  }
});

it("the n8n nodes: npm installs them where n8n brings its own package", async () => {
  const folder = makeFolder("n8n");
  await run(folder, installCommand("n8n", url));
  const workflow = join(folder, "node_modules/n8n-workflow");
  expect(existsSync(workflow)).toBe(false);
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
  writeFileSync(join(folder, "load.cjs"), script);
  const printed = await run(folder, `'${process.execPath}' load.cjs`);
  expect(printed).toBe("mediamill mediamillTrigger mediamillApi");
});
