import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "../errors.ts";
import { signedHeaders } from "./sign.ts";

export interface ForwardResult {
  /** The receiver's; null if it did not respond. */
  readonly status: number | null;
  readonly ms: number;
  readonly error?: string;
}

const attempts = 3;
const retryMs = 1000;
const timeoutMs = 30_000;

/**
 * Sends an event to a receiver, signed. It is sent again, with the same id, if the receiver cannot be
 * reached or fails: at most three times.
 */
export async function forwardEvent(
  url: string,
  secret: string,
  id: string,
  event: { readonly type: string; readonly data: unknown },
): Promise<ForwardResult> {
  const startedAt = Date.now();
  let result: Pick<ForwardResult, "status" | "error"> = { status: null };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await sleep(retryMs);
    result = await send(url, secret, id, event);
    if (result.status !== null && result.status < 500) break;
  }
  return { ...result, ms: Date.now() - startedAt };
}

async function send(
  url: string,
  secret: string,
  id: string,
  { type, data }: { readonly type: string; readonly data: unknown },
): Promise<Pick<ForwardResult, "status" | "error">> {
  const at = new Date();
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: signedHeaders(secret, id, at, body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason =
      cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
    return { status: null, error: String(reason) };
  }
}

/** A URL to which events are sent. Throws `UsageError`. */
export function receiverUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(url)) return url;
  throw new UsageError(
    `--forward-to must be a URL, such as http://localhost:3000/hook, not ${text}.`,
  );
}
