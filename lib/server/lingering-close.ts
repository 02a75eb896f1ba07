import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a client may continue to send after the response. */
const maxDrainMs = 10_000;

/**
 * A lingering close: lets a client that is still sending its body read the error response. The rest
 * of the body is read and discarded for a while. Closing the connection at once would lose the response.
 */
export function enableLingeringClose(request: IncomingMessage, response: ServerResponse): void {
  response.on("finish", () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.destroy(), maxDrainMs);
    request.on("close", () => clearTimeout(timer));
    // A reader that has stopped, but is still attached, would block the stream.
    request.removeAllListeners("readable").removeAllListeners("data");
    // Without these listeners, Node stops the flow of the stream in its next tick.
    setImmediate(() => request.resume());
  });
}
