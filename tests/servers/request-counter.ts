import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Counts the requests of any method and the WebSockets below `/count/<name>/`, by name. GET `/count/<name>` returns the
 * number.
 */
export class RequestCounter {
  readonly #counts = new Map<string, number>();

  handle(path: string, response: ServerResponse): void {
    if (!this.#add(path)) {
      return void response.end(String(this.#counts.get(nameOf(path)) ?? 0));
    }
    const headers = { "content-type": "text/html", "access-control-allow-origin": "*" };
    response.writeHead(200, headers).end("<p>COUNTED</p>");
  }

  handleUpgrade({ url = "" }: IncomingMessage, socket: Duplex): void {
    this.#add(url);
    // Node.js removes its own listener from sockets that are upgraded. A browser may reset the connection.
    socket.on("error", () => socket.destroy());
    socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  }

  /** Counts a request. Returns false for the URL of the number itself. */
  #add(path: string): boolean {
    if (!/^\/count\/[^/]+\//.test(path)) return false;
    const name = nameOf(path);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return true;
  }
}

const nameOf = (path: string) => path.split("/")[2] ?? "";

/** The number of requests of a name; `host` is the URL of the server. */
export async function countRequests(host: string, name: string): Promise<number> {
  return Number(await (await fetch(`${host}/count/${name}`)).text());
}
