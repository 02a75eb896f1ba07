import { installCommand } from "#lib/api/endpoints/packages/client-packages.ts";
import type { Call, CallFile } from "./request.ts";
import { quote } from "./shell.ts";

const longestLine = 80;

/** A target as the playground writes it. */
interface OutputField {
  readonly url?: string;
  readonly connection?: string;
  readonly path?: string;
  readonly overwrite?: boolean;
}

/** A command of the CLI, which saves the outputs in a folder. */
export function writeCli(call: Call): string {
  const words = call.operation === "chain" ? chainWords(call) : operationWords(call);
  const line = words.join(" ");
  const isLong = line.length > longestLine || line.includes("\n");
  const command = isLong ? words.join(" \\\n  ") : line;
  return [
    `# ${installCommand("cli", call.baseUrl)}`,
    `export MEDIAMILL_BASE_URL=${quote(call.baseUrl)}`,
    command,
  ].join("\n");
}

/** The command that runs the call on each file of the folder `in`, and on those that are added. */
export function writeFolderCommand(call: Call): string {
  const isMain = ({ urlField }: CallFile) => urlField === "input";
  const further = call.files
    .filter((file) => !isMain(file))
    .map((file) => writeOption(file.part, sourceText(file)));
  if (call.operation !== "chain") {
    const folder = folderWords(call.fields, "--out ./out");
    const words = [`mediamill run ${call.operation} ./in`, ...folder, ...further];
    return [...words, ...writeFields(call.fields), "--watch"].join(" ");
  }
  const { operations, ...options } = call.fields;
  const folder = folderWords(options, "--out ./out");
  const own = ["mediamill chain ./in", ...folder, "--watch", ...writeFields(options)];
  return [...own, ...writeSteps(operations)].join(" ");
}

function operationWords({ operation, files, fields }: Call): string[] {
  const isMain = ({ urlField }: CallFile) => urlField === "input";
  return [
    `mediamill ${operation.replace("/", " ")}`,
    ...files.filter(isMain).map((file) => quote(sourceText(file))),
    ...files
      .filter((file) => !isMain(file))
      .map((file) => writeOption(file.part, sourceText(file))),
    ...writeFields(fields),
    ...folderWords(fields, "-o out/"),
  ];
}

/** Each operation on a line of its own. */
function chainWords({ files, fields }: Call): string[] {
  const { operations, ...options } = fields;
  return [
    [
      "mediamill chain",
      ...files.map((file) => quote(sourceText(file))),
      ...folderWords(options, "-o out/"),
    ].join(" "),
    ...writeFields(options),
    ...writeSteps(operations),
  ];
}

/** The folder of the outputs; none if they are only sent to another store. */
function folderWords({ output, keep }: Call["fields"], words: string): string[] {
  return output === undefined || keep === true ? [words] : [];
}

function writeSteps(operations: unknown): string[] {
  const steps = Array.isArray(operations) ? operations : [];
  return steps.map(({ type, params = {} }) => [`--then ${type}`, ...writeFields(params)].join(" "));
}

function writeFields(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => writeField(name, value));
}

/** A path that starts with a hyphen would be an option. */
function sourceText({ source }: CallFile): string {
  if ("url" in source) return source.url;
  return source.file.startsWith("-") ? `./${source.file}` : source.file;
}

/** The pairs of `metadata` are given one by one, and a target as `conn_…:path` or as a URL. */
function writeField(name: string, value: unknown): string | string[] {
  if (name === "output" && typeof value === "object" && value !== null) return writeTarget(value);
  if (name !== "metadata" || typeof value !== "object" || value === null) {
    return writeOption(name, value);
  }
  return Object.entries(value).map((pair) => writeOption(name, pair.join("=")));
}

/** The field `output` of a request. */
function writeTarget(output: OutputField): string[] {
  const { url, connection = "", path, overwrite } = output;
  const target = url ?? (path === undefined ? connection : `${connection}:${path}`);
  return [writeOption("export", target), ...(overwrite ? ["--overwrite"] : [])];
}

function writeOption(name: string, value: unknown): string {
  const option = name.replaceAll("_", "-");
  if (typeof value === "boolean") return value ? `--${option}` : `--no-${option}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.startsWith("-") ? `--${option}=${quote(text)}` : `--${option} ${quote(text)}`;
}
