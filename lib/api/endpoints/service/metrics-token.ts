import { timingSafeEqual } from "node:crypto";
import { env } from "#lib/env.ts";
import { bearerToken } from "../../http/callers/credential.ts";

/** Whether the request carries `METRICS_TOKEN` as bearer token, compared in constant time. */
export function hasMetricsToken(request: Request): boolean {
  const [given, token] = [bearerToken(request) ?? "", env.METRICS_TOKEN ?? ""].map((text) =>
    Buffer.from(text),
  );
  if (!given || !token || token.length === 0) return false;
  return given.length === token.length && timingSafeEqual(given, token);
}
