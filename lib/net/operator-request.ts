import { createGuard } from "./guard.ts";
import { defaultTimeLimits } from "./limits/time-limits.ts";
import { userAgent, withDeadline } from "./network.ts";
import { readChunks, readHeader, requestPinned } from "./pinned-request.ts";

/** Requests to a server that the operator has named in the environment. */

export interface OperatorRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The time until the response is complete. */
  readonly timeoutMs: number;
  /** A longer response is an error. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
}

export interface OperatorResponse {
  readonly status: number;
  /** The header `Retry-After` in seconds; undefined without the header, or if it is a date. */
  readonly retryAfter: number | undefined;
  readonly bytes: Buffer;
}

/**
 * Sends a POST request and reads the response. The guard allows the host and port of the URL, which may
 * be private, and nothing else. Redirects are not followed. Throws `JobError` like `fetchToFile`, of
 * which none is the fault of a client, and `Error` for a response that is too long.
 */
export async function postToOperator(request: OperatorRequest): Promise<OperatorResponse> {
  const { timeoutMs, signal } = request;
  const url = new URL(request.url);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const guard = createGuard({ allow: [`${url.hostname}:${port}`] });
  return withDeadline(signal, timeoutMs, async (deadline) => {
    const response = await requestPinned({
      target: await guard.check(url, "inputs"),
      network: { purpose: "inputs", guard, limits: { ...defaultTimeLimits, headersMs: timeoutMs } },
      method: "POST",
      headers: { "user-agent": userAgent, "accept-encoding": "identity", ...request.headers },
      body: request.body,
      signal: deadline,
    });
    try {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of readChunks(response.body, timeoutMs)) {
        bytes += chunk.length;
        if (bytes > request.maxResponseBytes) throw new Error("the response is too long");
        chunks.push(chunk);
      }
      const seconds = /^\d{1,6}$/.exec(readHeader(response, "retry-after") ?? "")?.[0];
      return {
        status: response.status,
        retryAfter: seconds === undefined ? undefined : Number(seconds),
        bytes: Buffer.concat(chunks),
      };
    } finally {
      await response.close();
    }
  });
}
