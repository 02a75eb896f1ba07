import type { IncomingMessage, ServerResponse } from "node:http";

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
}

/**
 * Responds to `Expect: 100-continue` when the body is read for the first time, and calls `onContinue` then. A client
 * whose request is rejected before that sends no body. It may send one nevertheless, or another request, so the
 * connection is closed.
 */
export function continueOnFirstRead(
  request: IncomingMessage,
  response: ServerResponse,
  onContinue: () => void,
): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    // After the response, Node.js reads what is left of the body to discard it.
    if (!response.headersSent) {
      response.shouldKeepAlive = shouldKeepAlive;
      response.writeContinue();
      onContinue();
    }
    read.call(request, size);
  };
}
