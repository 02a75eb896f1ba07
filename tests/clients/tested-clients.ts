import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { IBinaryData } from "n8n-workflow";
import type { Operation } from "#lib/operations/define.ts";
import { Mediamill } from "#packages/sdk/src/index.ts";
import type { OperationId, RunParams } from "#packages/sdk/src/params.ts";
import { python } from "#scripts/commands/clients/python-wheel.ts";
import { installPackage } from "./install-package.ts";
import { binaryOf, executeNode, loadNodes } from "./n8n-host.ts";

/** Every client of the service behind one function, so that one test can send its requests by each. */

export interface ClientRequest {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, unknown>>;
  /** Paths or URLs, in order. */
  readonly inputs: readonly string[];
  /** Further files by their part, as paths or URLs. */
  readonly files: Readonly<Record<string, string>>;
}

export interface TestedClient {
  readonly name: string;
  /** Runs the operation and waits for its job. Returns the id. */
  run(request: ClientRequest): Promise<string>;
  close(): Promise<void> | void;
}

export interface ServiceAccess {
  readonly url: string;
  readonly apiKey: string;
}

const isUrl = (file: string) => /^https?:/.test(file);

/** Returns the field `input` or `inputs`, as the operation has it. */
function inputFields({ operation, inputs }: Pick<ClientRequest, "operation" | "inputs">) {
  if (operation.inputs.max === 0) return {};
  return operation.inputs.max === 1 ? { input: inputs[0] } : { inputs };
}

function startSdk({ url, apiKey }: ServiceAccess): TestedClient {
  const mm = new Mediamill({ baseUrl: url, apiKey });
  return {
    name: "SDK",
    async run(request) {
      const params: Record<string, unknown> = { ...request.params, ...inputFields(request) };
      for (const [part, file] of Object.entries(request.files)) {
        if (isUrl(file)) params[`${part}_url`] = file;
        else params[part] = { file: await readFile(file), filename: basename(file) };
      }
      // The catalogue's parameters, of which the compiler knows nothing here.
      const id = request.operation.id as OperationId;
      return (await mm.run(id, params as unknown as RunParams<typeof id>)).id;
    },
    close: () => {},
  };
}

async function startN8n({ url, apiKey }: ServiceAccess): Promise<TestedClient> {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-n8n-"));
  const { nodes, credential } = await loadNodes(folder);
  const { Mediamill: node } = nodes;
  if (!node) throw new Error("the package has no node");
  return {
    name: "n8n",
    async run({ operation, params, inputs, files }) {
      const binary: Record<string, IBinaryData> = {};
      const toField = (name: string, path: string) => {
        binary[name] = binaryOf(readFileSync(path), basename(path));
        return name;
      };
      const areUrls = inputs.some(isUrl);
      const fields = areUrls ? [] : inputs.map((path, index) => toField(`file_${index}`, path));
      const parts = Object.entries(files).map(([part, file]) => [
        part,
        isUrl(file) ? file : toField(part, file),
      ]);
      const own = { ...params, ...Object.fromEntries(parts) };
      const parameters = {
        // Each field is read from where the node has it.
        ...own,
        options: own,
        resource: operation.group,
        operation: operation.id.slice(operation.group.length + 1),
        ...(areUrls ? { input: "url", url: inputs[0], urls: inputs } : { input: "binary" }),
        ...(areUrls ? {} : { binaryField: fields.join(",") }),
        download: false,
      };
      const credentials = { apiKey, baseUrl: url };
      const items = [{ json: {}, binary }];
      const [item] = await executeNode({ node, credential, credentials, parameters, items });
      return String(item?.json.id);
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

async function startMcp({ url, apiKey }: ServiceAccess): Promise<TestedClient> {
  const client = new McpClient({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args }, { timeout: 300_000 });
    if (result.isError) throw new Error(JSON.stringify(result.content));
    return result.structuredContent as Record<string, string>;
  };
  const upload = async (file: string) => {
    if (isUrl(file)) return file;
    const body = await readFile(file);
    const created = await call("create_upload", { filename: basename(file), bytes: body.length });
    await fetch(created.url ?? "", { method: "PUT", body });
    return created.id ?? "";
  };
  return {
    name: "MCP",
    async run({ operation, params, inputs, files }) {
      const further: Record<string, string> = {};
      for (const [part, file] of Object.entries(files)) {
        further[`${part}_url`] = await upload(file);
      }
      const uploads: string[] = [];
      for (const file of inputs) uploads.push(await upload(file));
      let job = await call("run_operation", {
        operation: operation.id,
        ...inputFields({ operation, inputs: uploads }),
        params: { ...params, ...further },
      });
      while (job.status === "pending" || job.status === "processing") {
        job = await call("get_job", { id: job.id });
      }
      return String(job.id);
    },
    close: () => client.close(),
  };
}

/** One process for all requests: Python takes a while to start. */
const pythonLoop = `
import json, keyword, sys
from mediamill import Mediamill

mm = Mediamill()
for line in sys.stdin:
    operation, fields = json.loads(line)
    fields = {name + "_" if keyword.iskeyword(name) else name: value for name, value in fields.items()}
    try:
        print(json.dumps({"id": mm.run(operation, **fields).id}), flush=True)
    except Exception as error:
        print(json.dumps({"error": repr(error)}), flush=True)
`;

function startPython({ url, apiKey }: ServiceAccess): TestedClient {
  const source = join(import.meta.dirname, "../../packages/python/src");
  const child: ChildProcess = spawn(python, ["-c", pythonLoop], {
    env: {
      ...process.env,
      PYTHONPATH: source,
      PYTHONDONTWRITEBYTECODE: "1",
      MEDIAMILL_BASE_URL: url,
      MEDIAMILL_API_KEY: apiKey,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (!child.stdin || !child.stdout) throw new Error("no pipes");
  const { stdin } = child;
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name: "Python",
    async run(request) {
      const fields: Record<string, unknown> = { ...request.params, ...inputFields(request) };
      for (const [part, file] of Object.entries(request.files)) {
        fields[isUrl(file) ? `${part}_url` : part] = file;
      }
      stdin.write(`${JSON.stringify([request.operation.id, fields])}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error("Python has ended");
      const { id, error } = JSON.parse(value) as { id?: string; error?: string };
      if (!id) throw new Error(error);
      return id;
    },
    close: () => void stdin.end(),
  };
}

async function startCli({ url, apiKey }: ServiceAccess): Promise<TestedClient> {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-cli-"));
  const installed = await installPackage("cli", "@mediamill/cli", folder);
  const env = {
    ...process.env,
    // Without the settings of the person who runs the test.
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    MEDIAMILL_BASE_URL: url,
    MEDIAMILL_API_KEY: apiKey,
  };
  return {
    name: "CLI",
    async run({ operation, params, inputs, files }) {
      const flags = Object.entries({ ...params, ...files }).flatMap(([name, value]) => {
        const flag = name.replaceAll("_", "-");
        if (typeof value === "boolean") return [`--${value ? "" : "no-"}${flag}`];
        return [`--${flag}=${typeof value === "object" ? JSON.stringify(value) : value}`];
      });
      const words = [...operation.id.split("/"), "--json", "--print-urls", ...flags, ...inputs];
      const program = join(installed, "dist/mediamill.js");
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
        cwd: folder,
        env,
      });
      return (JSON.parse(stdout) as { job: string }).job;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** Starts all clients, each for requests one after the other. */
export async function startClients(access: ServiceAccess): Promise<TestedClient[]> {
  const built = await Promise.all([startCli(access), startN8n(access), startMcp(access)]);
  return [startSdk(access), startPython(access), ...built];
}
