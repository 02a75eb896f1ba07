import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** What a webhook's receiver was sent. */
export interface ReceivedHook {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * A receiver for each path `/hook/<name>/<status>-<status>…`: POST answers the statuses in turn, with
 * the text `?answer=` if there is one, GET what came.
 */
export class HookReceivers {
  readonly #received = new Map<string, ReceivedHook[]>();

  async handle(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url.pathname;
    const hooks = this.#received.get(path) ?? [];
    this.#received.set(path, hooks);
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(hooks));
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    hooks.push({ at: Date.now(), headers, body: await text(request) });
    const statuses = (path.split("/").at(-1) ?? "").split("-").map(Number);
    const status = statuses[Math.min(hooks.length, statuses.length) - 1] ?? 200;
    const answer = url.searchParams.get("answer") ?? undefined;
    response.writeHead(status, status === 301 ? { location: path } : {}).end(answer);
  }
}
