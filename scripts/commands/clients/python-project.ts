import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface PythonProject {
  readonly name: string;
  readonly version: string;
  /** The content of the file METADATA of a wheel (PEP 566). */
  readonly metadata: string;
}

/** Reads the few fields that `pyproject.toml` has. Throws if one is missing. */
export function readProject(folder: string): PythonProject {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const project = read("pyproject.toml");
  const text = (key: string): string => JSON.parse(find(project, key, /"[^"\n]*"/));
  const list = (key: string): string[] =>
    JSON.parse(find(project, key, /\[[^\]]*\]/).replace(/,\s*\]$/, "]"));
  const name = text("name");
  const versionFile = find(project, "path", /"[^"\n]*"/);
  const version: string = JSON.parse(find(read(JSON.parse(versionFile)), "__version__", /"[^"]+"/));
  const license: string = JSON.parse(
    /"[^"]*"/.exec(find(project, "license", /\{[^}]*\}/))?.[0] ?? "",
  );
  const headers = [
    "Metadata-Version: 2.1",
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${text("description")}`,
    `License: ${license}`,
    ...list("classifiers").map((one) => `Classifier: ${one}`),
    `Requires-Python: ${text("requires-python")}`,
    ...list("dependencies").map((one) => `Requires-Dist: ${one}`),
    "Description-Content-Type: text/markdown",
  ];
  return { name, version, metadata: `${headers.join("\n")}\n\n${read(text("readme"))}` };
}

/** The value of a key at the start of a line, as it is written. */
function find(text: string, key: string, value: RegExp): string {
  const found = new RegExp(`^${RegExp.escape(key)} = (${value.source})`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`the Python package has no \`${key}\``);
  return found;
}
