import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { isLocalUrl } from "#lib/net/local-url.ts";
import { sandboxMessage } from "#lib/sandbox-level.ts";
import { reportSandbox } from "./current-sandbox.ts";

/**
 * What this process does without a sandbox that the operator has not turned off. The web service rejects
 * the same jobs before; see `lib/api/job-creation/require-sandbox.ts`.
 */

/** Whether nothing may be read that is likely to take over its engine: if the service is public. */
export async function isRestricted(): Promise<boolean> {
  return (await reportSandbox()).sandboxFailed && !isLocalUrl(env.APP_URL);
}

/** Throws `internal` if engines that run scripts of files are off. `subject` is for the message. */
export async function requireSandbox(subject: string): Promise<void> {
  if (await isRestricted()) throw new JobError("internal", sandboxMessage(subject));
}

/** Throws `internal` if people without an account may not run jobs. */
export async function requireSandboxForVisitors(): Promise<void> {
  const { sandboxFailed } = await reportSandbox();
  if (sandboxFailed) throw new JobError("internal", sandboxMessage("running without an account"));
}
