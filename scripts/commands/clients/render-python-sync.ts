import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";

/** The folder of the Python package's modules, relative to the project. */
const modules = "packages/python/src/mediamill";

/** The modules that are written by hand for both clients, because they cannot be translated. */
const ownModules = ["__init__.py", "waiting.py"];

const translations: readonly (readonly [RegExp, string])[] = [
  [/\(await ([\w.]+\([^()]*\))\)(?=\.)/g, "$1"],
  [/\bawait /g, ""],
  [/\basync (?=def|for|with)/g, ""],
  [/\bAwaitable, /g, ""],
  [/\bAwaitable\[(\w+)\]/g, "$1"],
  [/\bAsync(?=[A-Z])/g, ""],
  [/\b__a(enter|exit|iter|next)__/g, "__$1__"],
  [/\ba(close|read|iter_bytes)\b/g, "$1"],
];

/** The synchronous client of the Python package, made from the asynchronous one. */
export function renderPythonSync(header: string): { path: string; content: string }[] {
  const folder = join(projectFolder, modules, "_async");
  const names = readdirSync(folder).filter(
    (name) => name.endsWith(".py") && !ownModules.includes(name),
  );
  return names.sort().map((name) => {
    const source = readFileSync(join(folder, name), "utf8");
    const translated = translations.reduce(
      (text, [pattern, replacement]) => text.replaceAll(pattern, replacement),
      source,
    );
    return { path: `${modules}/_sync/${name}`, content: `${header}${translated}` };
  });
}
