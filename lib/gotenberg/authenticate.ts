import { createHash, timingSafeEqual } from "node:crypto";
import type { KeyCaller } from "#lib/api/definition/access.ts";
import { authenticate } from "#lib/api/http/callers/authenticate.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { type GotenbergError, statusError } from "./base/errors.ts";
import type { GotenbergSettings } from "./base/settings.ts";

/** Where a request came in: on Gotenberg's own port, or on that of the service. */
export type EntryPort = "own" | "main";

/**
 * The account of a request: that of its API key as `X-API-Key`, bearer token or password of basic authentication.
 * On the port of its own, `GOTENBERG_API_KEY` counts for requests without a key. Throws 401, also for a browser token.
 */
export async function findCaller(
  request: Request,
  port: EntryPort,
  settings: GotenbergSettings,
): Promise<KeyCaller> {
  requireBasicAuth(request, port, settings);
  const own = ownKey(request, port, settings);
  const preset = port === "own" && !settings.requiresKey ? env.GOTENBERG_API_KEY : undefined;
  const key = own ?? preset;
  if (!key) throw unauthorized();
  try {
    const headers = new Headers(request.headers);
    headers.set("x-api-key", key);
    const caller = await authenticate(new Request(request.url, { headers }));
    // Its limits are those of requests of the API.
    if (caller.token) throw unauthorized();
    return caller;
  } catch (error) {
    const isUnknown = error instanceof RequestError && error.code === "unauthorized";
    throw isUnknown ? unauthorized(error) : error;
  }
}

/** Throws 401 if the operator has set a name and a password for the port, and the request has others. */
export function requireBasicAuth(
  request: Request,
  port: EntryPort,
  { basicAuth, requiresKey }: GotenbergSettings,
): void {
  if (port === "main") return;
  if (requiresKey && !request.headers.has("authorization") && !request.headers.has("x-api-key")) {
    throw unauthorized();
  }
  if (!basicAuth) return;
  const given = basicCredentials(request);
  const isRight =
    given &&
    isEqual(given.username, basicAuth.username) &&
    isEqual(given.password, basicAuth.password);
  if (!isRight) throw unauthorized();
}

function ownKey(
  request: Request,
  port: EntryPort,
  { basicAuth }: GotenbergSettings,
): string | undefined {
  const { headers } = request;
  const named = headers.get("x-api-key");
  if (named) return named.trim();
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (bearer) return bearer;
  // With a name and a password of the operator, the password is no key.
  return port === "own" && basicAuth ? undefined : basicCredentials(request)?.password;
}

function basicCredentials(request: Request) {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [, username = "", password = ""] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  return { username, password };
}

/** Takes the same time for all texts. */
function isEqual(one: string, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

function unauthorized(cause?: unknown): GotenbergError {
  return statusError(401, cause);
}
