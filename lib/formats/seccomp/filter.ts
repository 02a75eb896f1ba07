import { createFilter, type FilterOptions } from "./program.ts";
import { architectures, type FilteredArchitecture } from "./system-calls.ts";

/** The filters that this process has made, by their options. */
const filters = new Map<string, Buffer>();

/**
 * The filter that bubblewrap or the launcher reads, a program of classic BPF. Throws if there is none
 * for this architecture; see `hasFilter`.
 */
export function filterOf(request: Partial<FilterOptions>): Buffer {
  if (!isFiltered(process.arch)) throw new Error(`no filter for ${process.arch}`);
  const { createsUserNamespaces = false, usesLoopback = false, sharedSystem } = request;
  const options = { createsUserNamespaces, usesLoopback, sharedSystem };
  const key = JSON.stringify(options);
  const filter = filters.get(key) ?? createFilter(process.arch, options);
  filters.set(key, filter);
  return filter;
}

/** Whether the system calls of this architecture are known. */
export function hasFilter(): boolean {
  return isFiltered(process.arch);
}

function isFiltered(architecture: string): architecture is FilteredArchitecture {
  return Object.hasOwn(architectures, architecture);
}
