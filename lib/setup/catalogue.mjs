import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { SetupError } from "./command.mjs";
import { projectFolder } from "./node24.mjs";
import { printLine } from "./progress.mjs";
import { repairPackages } from "./repairs.mjs";
import { requireWritableProject } from "./writable.mjs";

/**
 * The lists of all operations and of their samples, which Git ignores: an operation is one folder. They
 * are written whenever packages are installed (`prepare` in package.json), a command starts, the web app
 * is built, or tests run, if they are not current. It takes a few milliseconds. In JavaScript, because it
 * runs before Node.js 24 is installed.
 */

/** The groups in the order of the catalogue, the same as `operationGroups`. */
const groups = ["document", "image", "video", "audio", "pipeline"];

/** The folders of the two lists. */
const folders = { operations: "lib/operations/catalogue", samples: "components/samples" };

const header = "// Made from the operations' folders, by any command. Do not edit.\n";

/**
 * @typedef {{ id: string, exportName: string }} Entry an operation and how its module exports it
 */

/**
 * Writes the lists that are not current, and returns their paths. Throws `SetupError` if a folder has no operation, or
 * the user cannot write.
 */
export function writeOperationLists() {
  return renderOperationLists().flatMap(({ path, content }) => {
    const target = join(projectFolder, path);
    if (existsSync(target) && readFileSync(target, "utf8") === content) return [];
    requireWritableProject();
    mkdirSync(dirname(target), { recursive: true });
    // Other processes may read it at the same time.
    const written = `${target}.${process.pid}`;
    writeFileSync(written, content);
    renameSync(written, target);
    return [path];
  });
}

/** Writes the lists, or ends the process with one line. */
export function writeOrExit() {
  try {
    writeOperationLists();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    printLine(error.message);
    process.exit(1);
  }
}

/** The files that are made from the operations' folders. None if the project's code is not here. */
export function renderOperationLists() {
  if (!existsSync(join(projectFolder, "lib/operations"))) return [];
  const entries = listOperationIds().map(readEntry);
  return [renderOperations(entries), renderSamples(entries)];
}

/** The ids of all folders that have an operation: by group, then by name. */
export function listOperationIds() {
  return groups.flatMap((group) => {
    const folder = join(projectFolder, "lib/operations", group);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => existsSync(join(folder, name, "index.ts")))
      .sort()
      .map((name) => `${group}/${name}`);
  });
}

/**
 * @param {string} id
 * @returns {Entry}
 */
function readEntry(id) {
  const path = `lib/operations/${id}/index.ts`;
  const source = readFileSync(join(projectFolder, path), "utf8");
  const exportName = /^export const (\w+) = defineOperation\(/m.exec(source)?.[1];
  if (exportName) return { id, exportName };
  throw new SetupError(`${path} must have a line "export const <name> = defineOperation({".`);
}

/** @param {readonly Entry[]} entries */
function renderOperations(entries) {
  const imports = entries.map(({ id, exportName }) => {
    const name = toIdentifier(id);
    const imported = exportName === name ? name : `${exportName} as ${name}`;
    return `import { ${imported} } from "../${id}/index.ts";\n`;
  });
  const content = [
    header,
    ...imports,
    'import type { Operation } from "../define.ts";\n',
    "\n",
    "/** All operations, by group and name. */\n",
    ...renderArray("export const operations: readonly Operation[]", entries),
  ].join("");
  return { path: `${folders.operations}/generated.ts`, content };
}

/** @param {readonly Entry[]} entries */
function renderSamples(entries) {
  const made = entries.filter(({ id }) => existsSync(join(projectFolder, samplePath(id))));
  const imports = made.map(
    ({ id }) =>
      `import ${toIdentifier(id)} from "../../${samplePath(id)}" with { type: "json" };\n`,
  );
  const content = [
    header,
    ...imports,
    "\n",
    "/** What `npm run samples` has recorded. */\n",
    ...renderArray("export const samples", made),
  ].join("");
  return { path: `${folders.samples}/generated.ts`, content };
}

/**
 * @param {string} declaration
 * @param {readonly Entry[]} entries
 */
function renderArray(declaration, entries) {
  return [`${declaration} = [\n`, ...entries.map(({ id }) => `  ${toIdentifier(id)},\n`), "];\n"];
}

/**
 * The file in which the sample of an operation is recorded, relative to the project.
 *
 * @param {string} id
 */
export function samplePath(id) {
  return `public/samples/${id}.json`;
}

/**
 * `image/watermark-text` becomes `imageWatermarkText`.
 *
 * @param {string} id
 */
function toIdentifier(id) {
  return id.replaceAll(/[/-]([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

// Also a program: `prepare` in package.json, and the build on Vercel.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeOrExit();
  repairPackages();
}
