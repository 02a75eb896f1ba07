import { hasFailedSandbox } from "#lib/db/queries/jobs/media-reports.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { isLocalUrl } from "#lib/net/local-url.ts";
import type { Operation } from "#lib/operations/define.ts";
import { describeRestriction, needsSandbox } from "#lib/operations/sandbox-policy.ts";
import { sandboxMessage } from "#lib/sandbox-level.ts";
import { type RequestedFiles, typesOf } from "./sources.ts";

/**
 * Throws `unavailable` if a file of any of `types` needs a sandbox in `operation`, the service is public
 * and its media runners have none that works. The runner checks the type of a file at a URL.
 */
export async function requireSandboxFor(
  operation: Pick<Operation, "id" | "requires" | "accepts">,
  types: readonly MediaTypeId[],
): Promise<void> {
  const [type] = types;
  if (!type || !types.every((one) => needsSandbox(operation, one))) return;
  if (isLocalUrl(env.APP_URL) || !(await hasFailedSandbox())) return;
  const message = sandboxMessage(describeRestriction(operation, type));
  throw new RequestError("unavailable", message, { headers: { "Retry-After": "300" } });
}

/** Does the same for each file of a request, as far as its type is known. */
export async function requireSandboxForFiles(
  operation: Operation,
  { source, parts }: Partial<RequestedFiles>,
): Promise<void> {
  for (const [part, file] of Object.entries({ ...parts, file: source })) {
    if (!file || file.kind === "none") continue;
    const accepts = operation.files?.[part]?.accepts ?? operation.accepts;
    const types = typesOf(file, accepts).filter((type) => accepts.includes(type));
    await requireSandboxFor(operation, types);
  }
}
