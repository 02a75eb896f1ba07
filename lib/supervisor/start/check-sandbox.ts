import type { SandboxReport } from "#lib/engines/sandbox/describe-sandbox.ts";
import { StartError } from "./start-error.ts";

/**
 * The level of isolation and limits that engines have on this machine, determined by a trial. Throws
 * `StartError` if `SANDBOX=required` and the sandbox does not work.
 */
export async function checkSandbox(): Promise<SandboxReport> {
  const { closeSandbox, reportSandbox } = await import("#lib/engines/sandbox/current-sandbox.ts");
  const { removeProcessFolder } = await import("#lib/engines/sandbox/folder/process-folder.ts");
  try {
    return await reportSandbox();
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  } finally {
    await closeSandbox();
    await removeProcessFolder();
  }
}
