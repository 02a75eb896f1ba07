import type { Call, CallFile } from "./request.ts";
import { quote } from "./shell.ts";

const longestLine = 80;

/** A command of the CLI, which saves the outputs in a folder; undefined for a chain. */
export function writeCli(call: Call): string | undefined {
  const { operation, baseUrl, files, fields } = call;
  if (operation === "chain") return undefined;
  const isMain = ({ urlField }: CallFile) => urlField === "input";
  const words = [
    `mediamill ${operation.replace("/", " ")}`,
    ...files.filter(isMain).map((file) => quote(sourceText(file))),
    ...files
      .filter((file) => !isMain(file))
      .map((file) => writeOption(file.part, sourceText(file))),
    ...Object.entries(fields).flatMap(([name, value]) => writeField(name, value)),
    "-o out/",
  ];
  const line = words.join(" ");
  const isLong = line.length > longestLine || line.includes("\n");
  const command = isLong ? words.join(" \\\n  ") : line;
  return `export MEDIAMILL_BASE_URL=${quote(baseUrl)}\n${command}`;
}

/** A path that starts with a hyphen would be an option. */
function sourceText({ source }: CallFile): string {
  if ("url" in source) return source.url;
  return source.file.startsWith("-") ? `./${source.file}` : source.file;
}

/** The pairs of `metadata` are given one by one. */
function writeField(name: string, value: unknown): string | string[] {
  if (name !== "metadata" || typeof value !== "object" || value === null) {
    return writeOption(name, value);
  }
  return Object.entries(value).map((pair) => writeOption(name, pair.join("=")));
}

function writeOption(name: string, value: unknown): string {
  const option = name.replaceAll("_", "-");
  if (typeof value === "boolean") return value ? `--${option}` : `--no-${option}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.startsWith("-") ? `--${option}=${quote(text)}` : `--${option} ${quote(text)}`;
}
