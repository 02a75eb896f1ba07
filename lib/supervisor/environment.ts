import type { SandboxReport } from "#lib/engines/sandbox/report.ts";
import type { Env } from "#lib/env.ts";
import { StartError } from "./start-error.ts";

/**
 * The parsed environment. Loaded late, because a bad value throws `EnvError` as the module loads,
 * and that must become one line. Also refuses what contradicts this machine.
 */
export async function readEnvironment(): Promise<Env> {
  const { env } = await import("#lib/env.ts");
  return env;
}

/** How engines are isolated and limited, found out by trying. Throws `StartError` where `SANDBOX=required` cannot be kept. */
export async function readSandbox(): Promise<SandboxReport> {
  const { closeSandbox, reportSandbox } = await import("#lib/engines/sandbox/level.ts");
  try {
    return await reportSandbox();
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  } finally {
    await closeSandbox();
  }
}
