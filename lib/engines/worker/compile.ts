import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadAllWorkerFunctions } from "./worker-function.ts";

/**
 * Loads all code that workers can need, so that Node.js writes it to its compile cache. Started by
 * `compileWorkers`, without input.
 */

/** Only a fault takes longer. */
const timeoutMs = 60_000;

setTimeout(() => process.exit(1), timeoutMs).unref();
const lib = join(import.meta.dirname, "..", "..");
const modules = globSync("**/worker-functions.ts", { cwd: lib });
await loadAllWorkerFunctions(modules.map((path) => pathToFileURL(join(lib, path)).href));
// Ends, because it gets no request.
await import("./program.ts");
