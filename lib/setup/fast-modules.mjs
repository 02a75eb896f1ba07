import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname } from "node:path";

/**
 * Preloaded into processes that load hundreds of modules. Node.js 24 looks up the scope of each ES module
 * and parses the package.json there again, twice for each import, which is half of what loading the project's
 * code takes. Most imports need none of it: they name a file, or a package that another file has imported.
 */

const project = new URL("../../", import.meta.url).href;
const packages = `${project}node_modules/`;

/** Names of imports in package.json that are folders of the project, and characters that no URL encodes. */
const inProject = /^#(?:app|components|inngest|lib|packages|scripts|tests)\/[\w@./+-]+\.ts$/;

/** A file by its path, with its extension. */
const relative = /^\.\.?\/[\w@./+-]+\.(?:ts|m?js)$/;

/** A package by its name, a file in it, or a module of Node.js. */
const bare = /^[@\w]/;

/** Whether a folder of a package has ES modules, by the folder's URL. */
const scopes = new Map();

/**
 * Whether `.js` files in a folder of a package are ES modules, by the nearest package.json.
 *
 * @param {string} folder URL without a slash at its end
 * @returns {boolean}
 */
function hasEsModules(folder) {
  const known = scopes.get(folder);
  if (known !== undefined) return known;
  const found = folder.startsWith(packages) && readType(folder);
  scopes.set(folder, found);
  return found;
}

/** @param {string} folder */
function readType(folder) {
  try {
    const text = readFileSync(new URL(`${folder}/package.json`), "utf8");
    return JSON.parse(text).type === "module";
  } catch (error) {
    // Folders inside a package have no package.json of their own.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) return false;
    return hasEsModules(dirname(folder));
  }
}

/**
 * The URL of a module of the project; undefined if Node.js has to find it.
 *
 * @param {string} specifier
 * @param {string} parent
 */
function findOwn(specifier, parent) {
  if (!specifier.endsWith(".ts")) return undefined;
  if (inProject.test(specifier)) return project + specifier.slice(1);
  return relative.test(specifier) ? new URL(specifier, parent).href : undefined;
}

/**
 * The URL of an ES module of the same package; undefined if Node.js has to find it.
 *
 * @param {string} specifier
 * @param {string} parent
 */
function findInPackage(specifier, parent) {
  if (!relative.test(specifier) || specifier.endsWith(".ts")) return undefined;
  const url = new URL(specifier, parent).href;
  const isEsModule = url.endsWith(".mjs") || hasEsModules(dirname(url));
  return isEsModule && url.startsWith(packages) ? url : undefined;
}

/** What Node.js found for the packages that the project's own files import. */
const found = new Map();

/**
 * Removes exports of node:http that are defined by getters. An import of the module reads each of them, and these load
 * Node.js's own WebSocket with all of its fetch, which takes 60 ms and most processes never use. The globals of these
 * names remain.
 */
function omitWebSocket() {
  const http = process.getBuiltinModule("node:http");
  for (const name of /** @type {const} */ (["CloseEvent", "MessageEvent", "WebSocket"]))
    Reflect.deleteProperty(http, name);
}

registerHooks({
  resolve(specifier, given, next) {
    if (specifier === "node:http") omitWebSocket();
    // Its package.json contains 180 KB of exports, and its CommonJS build loads in a fifth of the time.
    const context = specifier.startsWith("drizzle-orm")
      ? { ...given, conditions: ["node", "require", "module-sync"] }
      : given;
    const parent = context.parentURL ?? "";
    if (!parent.startsWith(project) || !given.conditions.includes("import"))
      return next(specifier, context);
    const isPackage = parent.startsWith(packages);
    if (!isPackage && bare.test(specifier)) {
      const known = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
      found.set(specifier, known);
      return known;
    }
    const url = isPackage ? findInPackage(specifier, parent) : findOwn(specifier, parent);
    if (url === undefined) return next(specifier, context);
    return { url, format: isPackage ? "module" : "module-typescript", shortCircuit: true };
  },
});
