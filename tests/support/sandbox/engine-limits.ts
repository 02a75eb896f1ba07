import type { ResourceLimits } from "#lib/engines/sandbox/spawn.ts";

/** What a small program of a test may use in its sandbox. */
export const engineLimits: ResourceLimits = {
  memoryBytes: 2 ** 30,
  limitsAddressSpace: false,
  processes: 64,
  cpuSeconds: 60,
  fileBytes: 2 ** 20,
  openFiles: 256,
};
