import { RequestError } from "#lib/errors.ts";

/** The longest that a request waits for its job, seconds. */
export const maxWaitSeconds = 60;

/** Seconds of `Prefer: wait=N` (RFC 7240), 1 to 60; null where the client does not want to wait. */
export function parsePreferredWait(request: Request): number | null {
  const wanted = /(?:^|[,;\s])wait\s*=\s*"?([^",;\s]+)"?/i.exec(
    request.headers.get("prefer") ?? "",
  );
  return wanted ? parseWait(wanted[1] ?? "", "Prefer: wait") : null;
}

/** Seconds of a wait that a client asks for, under the name that it used. */
export function parseWait(text: string, name: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= maxWaitSeconds) return seconds;
  const sentence = `${name} must be an integer from 1 to ${maxWaitSeconds}.`;
  throw new RequestError("invalid_parameter", sentence);
}
