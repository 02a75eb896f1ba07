import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a client may go on sending after its answer. */
const lingerMs = 10_000;

/**
 * Lets a client read the refusal of a body that it is still sending: what it sends on is read and
 * dropped for a while, for closing the connection at once would take the answer with it.
 */
export function lingerAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.on("finish", () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.on("close", () => clearTimeout(timer));
    // Whoever had read the body has left off, but would hold it back.
    request.removeAllListeners("readable").resume();
  });
}
