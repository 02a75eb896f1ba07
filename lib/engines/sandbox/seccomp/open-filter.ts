import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFilter, type FilterOptions } from "./program.ts";
import { architectures, type FilteredArchitecture } from "./system-calls.ts";

/** The filters of this process, each in a file without a name. */

/** Open descriptors by the options of the filter. */
const files = new Map<string, number>();

/**
 * A new descriptor from which bubblewrap or the launcher reads the filter. The caller closes it. Throws if there is no
 * filter for this architecture; see `hasFilter`.
 */
export function openFilter(request: Partial<FilterOptions>): number {
  if (!isFiltered(process.arch)) throw new Error(`no filter for ${process.arch}`);
  const { createsUserNamespaces = false, usesLoopback = false, sharedSystem } = request;
  const options = { createsUserNamespaces, usesLoopback, sharedSystem };
  const key = JSON.stringify(options);
  const file = files.get(key) ?? createFile(createFilter(process.arch, options));
  files.set(key, file);
  // Each reader needs a descriptor with its own position.
  return openSync(`/proc/self/fd/${file}`, "r");
}

/** Whether the system calls of this architecture are known. */
export function hasFilter(): boolean {
  return isFiltered(process.arch);
}

function isFiltered(architecture: string): architecture is FilteredArchitecture {
  return Object.hasOwn(architectures, architecture);
}

/** Writes a file that is removed at once and remains only as long as its descriptor is open. */
function createFile(content: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-filter-"));
  try {
    const path = join(folder, "filter");
    writeFileSync(path, content, { mode: 0o400 });
    return openSync(path, "r");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
