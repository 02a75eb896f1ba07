/** The statuses that a test receiver can be set to. */
export const receiverStatuses = [200, 204, 400, 401, 410, 429, 500, 503] as const;

/**
 * The delays that it can be set to, in seconds. A webhook is given up after 15 seconds without a response, so that
 * the last one shows a timeout.
 */
export const receiverDelays = [0, 2, 5, 10, 20] as const;

/** The `Retry-After` of status 429, in seconds. */
export const receiverRetryAfter = 15;

/** What a test receiver sends back. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response with this status to the request with this id. */
export function createReceiverResponse(status: number, id: string): ReceiverResponse {
  return {
    status,
    headers: {
      ...(status === 204 ? {} : { "content-type": "application/json" }),
      ...(status === 429 ? { "retry-after": String(receiverRetryAfter) } : {}),
    },
    body: status === 204 ? "" : JSON.stringify({ received: id }),
  };
}
