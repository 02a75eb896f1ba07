import { signCall } from "./signing.ts";
import type { AppCall, AppResponse } from "./types.ts";

/** Sends a call, signed with `key`, to the app that is served at `url`. */
export async function callServedApp(url: string, call: AppCall, key: string): Promise<AppResponse> {
  const target = new URL(url);
  target.searchParams.set("fnId", call.slug);
  target.searchParams.set("stepId", call.stepId);
  const response = await sendSigned(target, "POST", call.payload, key);
  const { headers, status } = response;
  const noRetry = headers.get("x-inngest-no-retry") === "true";
  const retryAfter = headers.get("retry-after") ?? undefined;
  const body: unknown = await response.json();
  return { status, body, noRetry, retryAfter };
}

/** Requests the app at `url` to register its functions. */
export function registerApp(url: string, key: string): Promise<Response> {
  return sendSigned(new URL(url), "PUT", { url }, key);
}

/** Sends a request with an Inngest signature of time `at`, in milliseconds since the epoch. */
export function sendSigned(
  url: URL,
  method: "POST" | "PUT" | "GET",
  body: unknown,
  key: string,
  at = Date.now(),
): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      "content-type": "application/json",
      "x-inngest-server-kind": "cloud",
      "x-inngest-signature": signCall(key, body, at),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
