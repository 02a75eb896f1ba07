import { execFile } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { python } from "#scripts/commands/clients/python-wheel.ts";
import { type ServiceAccess, startClients } from "#tests/clients/tested-clients.ts";
import { Cli } from "#tests/service/cli.ts";
import { startStack } from "#tests/service/stack.ts";

/**
 * Uploads a file of 300 MB with every client, with progress where the client has it. The memory of the
 * SDK, of Python and of the CLI must not grow with the file.
 */

const bytes = 300e6;
const limit = 150e6;

interface Upload {
  readonly percents: readonly number[];
  /** The peak memory of the process that uploads, in bytes. */
  readonly memory: number;
}

const folder = await mkdtemp(join(tmpdir(), "mediamill-upload-"));
const path = join(folder, "zeros.bin");

async function uploadWithSdk({ url, apiKey }: ServiceAccess): Promise<Upload> {
  const mm = new Mediamill({ baseUrl: url, apiKey });
  const percents: number[] = [];
  const before = process.memoryUsage.rss();
  let peak = before;
  const job = await mm.run(
    "pipeline/file-inspect",
    { input: path },
    {
      onProgress: ({ phase, percent }) => {
        peak = Math.max(peak, process.memoryUsage.rss());
        if (phase === "upload") percents.push(percent);
      },
    },
  );
  if (job.result.bytes !== bytes) throw new Error(JSON.stringify(job.data));
  return { percents, memory: peak - before };
}

const script = `
import json, resource, sys
from mediamill import Mediamill

percents = []
def report(progress):
    if progress.phase == "upload":
        percents.append(progress.percent)

with Mediamill() as mm:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    job = mm.run("pipeline/file-inspect", input=sys.argv[1], on_progress=report)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert job.result["bytes"] == ${bytes}, job.data
print(json.dumps({"percents": percents, "memory": (after - before) * 1024}))
`;

async function uploadWithPython({ url, apiKey }: ServiceAccess): Promise<Upload> {
  const env = {
    ...process.env,
    PYTHONPATH: join(import.meta.dirname, "../../packages/python/src"),
    PYTHONDONTWRITEBYTECODE: "1",
    MEDIAMILL_BASE_URL: url,
    MEDIAMILL_API_KEY: apiKey,
  };
  const { stdout } = await promisify(execFile)(python, ["-c", script, path], { env });
  return JSON.parse(stdout) as Upload;
}

/** Uploads on a terminal, as the command shows progress there only. */
async function uploadWithCli({ url, apiKey }: ServiceAccess): Promise<Upload> {
  const cli = new Cli({ MEDIAMILL_API_KEY: apiKey, MEDIAMILL_BASE_URL: url });
  const memoryFile = join(folder, "memory");
  const hook = `import { writeFileSync } from "node:fs";
    const start = process.resourceUsage().maxRSS;
    process.on("exit", () => {
      const grown = process.resourceUsage().maxRSS - start;
      writeFileSync(${JSON.stringify(memoryFile)}, String(grown * 1024));
    });`;
  const words = [
    process.execPath,
    `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    cli.program,
    "pipeline",
    "file-inspect",
    path,
  ];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  try {
    const { stdout } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], {
      env: { ...cli.environment, TERM: "xterm" },
      maxBuffer: 1e8,
    });
    const percents = [...stdout.matchAll(/(\d+) % upload/g)].map(([, text]) => Number(text));
    if (!stdout.includes(`"bytes": ${bytes}`)) throw new Error(stdout.slice(-2000));
    return { percents, memory: Number(await readFile(memoryFile, "utf8")) };
  } finally {
    cli.remove();
  }
}

function check(name: string, { percents, memory }: Upload, minReports: number): void {
  const isSorted = percents.every((percent, index) => percent >= (percents[index - 1] ?? 0));
  if (!isSorted || percents.length < minReports || (percents.at(-1) ?? 0) < 90) {
    throw new Error(`${name}: wrong progress: ${percents.join(" ")}`);
  }
  const megabytes = Math.round(memory / 1e6);
  const line = `${name}: 300 MB uploaded, ${percents.length} reports, ${megabytes} MB more memory`;
  process.stdout.write(`${line}\n`);
  if (memory > limit) throw new Error(`${name}: its memory grew by ${megabytes} MB`);
}

const stack = await startStack({ LOG_LEVEL: "warn" });
try {
  const file = await open(path, "w");
  await file.truncate(bytes);
  await file.close();
  check("SDK", await uploadWithSdk(stack), 100);
  check("Python", await uploadWithPython(stack), 100);
  // It draws ten times a second.
  check("CLI", await uploadWithCli(stack), 5);
  const operation = findOperation("pipeline/file-inspect");
  if (!operation) throw new Error("the operation is missing");
  for (const client of await startClients(stack)) {
    if (client.name === "n8n" || client.name === "MCP") {
      await client.run({ operation, params: {}, inputs: [path], files: {} });
      process.stdout.write(`${client.name}: 300 MB uploaded\n`);
    }
    await client.close();
  }
} finally {
  await stack.stop();
  await rm(folder, { recursive: true });
}
