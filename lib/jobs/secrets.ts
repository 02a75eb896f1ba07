import type { JobRow, JobTarget } from "#lib/db/schema/jobs.ts";
import { reseal, unseal } from "#lib/service-secret.ts";

/**
 * Secret parameters, files and targets. The parameters of a job have `***` in place of each; the values are
 * encrypted with a key derived from `SECRET` in a column of their own, which is emptied when the job
 * ends.
 */

/** An operation of a job and its parameters, as a chain names them. */
export interface RequestedStep {
  readonly type: string;
  readonly params: Record<string, unknown>;
}

/** Where the outputs of a job are sent, with all that the requests need. */
export interface ExportTarget extends JobTarget {
  /** The whole URLs. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What is encrypted of a target. */
export type TargetSecrets = Pick<ExportTarget, "urls" | "headers">;

/** The target of the job with its secrets, which follow those of the steps; null if it has none. */
export function revealTarget({
  id,
  secrets,
  target,
}: Pick<JobRow, "id" | "secrets" | "target">): ExportTarget | null {
  if (target === null) return null;
  if (target.connection) return { ...target, headers: {} };
  if (secrets === null) throw new Error(`the target of ${id} has lost its secrets`);
  const values = JSON.parse(unseal(sealedFor(id), secrets)) as unknown[];
  return { ...target, ...(values.at(-1) as TargetSecrets) };
}

/** The parameters of each step with the secret values of the job. */
export function revealParams(
  { id, secrets }: Pick<JobRow, "id" | "secrets">,
  steps: readonly RequestedStep[],
): RequestedStep[] {
  if (secrets === null) return [...steps];
  const values = JSON.parse(unseal(sealedFor(id), secrets)) as Record<string, unknown>[];
  return steps.map(({ type, params }, index) => ({
    type,
    params: { ...params, ...values[index] },
  }));
}

/** What the secrets of a job are encrypted for. */
export const sealedFor = (jobId: string) => ({ purpose: "job secrets", id: jobId });

/**
 * Encrypts secrets again with the current `SECRET`; undefined if they are encrypted with it, or if
 * no accepted secret decrypts them.
 */
export function reencrypt(jobId: string, sealed: string): string | undefined {
  return reseal(sealedFor(jobId), sealed);
}
