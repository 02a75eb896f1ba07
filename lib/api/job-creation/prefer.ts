import { RequestError } from "#lib/errors.ts";
import { maxWaitSeconds } from "../definition/request-headers.ts";

/**
 * Parses the seconds of `Prefer: wait=N` (RFC 7240), 1 to 60; null if the client does not want to
 * wait.
 */
export function parsePreferredWait(request: Request): number | null {
  const prefer = request.headers.get("prefer") ?? "";
  const text = /(?:^|[,;\s])wait\s*=\s*"?([^",;\s]+)"?/i.exec(prefer)?.[1];
  if (text === undefined) return null;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= maxWaitSeconds) return seconds;
  const message = `\`Prefer: wait\` must be an integer from 1 to ${maxWaitSeconds}.`;
  throw new RequestError("invalid_parameter", message);
}
