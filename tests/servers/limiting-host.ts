import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A host in front of the service that refuses large requests, as Vercel does. */
export interface LimitingHost {
  readonly url: string;
  /** The service's URL; set it once the service has started. */
  target: string;
  /** The requests that were refused: method and path. */
  readonly refused: readonly string[];
  close(): void;
}

/** The most bytes of a request's body. */
const maxBodyBytes = 4_500_000;

/** Starts the host. It receives whole bodies before it passes them on, and streams responses. */
export async function startLimitingHost(): Promise<LimitingHost> {
  const refused: string[] = [];
  const server = createServer((incoming, outgoing) => {
    incoming.on("error", () => {});
    void receive(incoming).then((body) => {
      if (body) return pass(incoming, body, outgoing);
      refused.push(`${incoming.method} ${incoming.url?.replace(/\?.*/, "")}`);
      return refuse(outgoing);
    });
  }).listen(0, "localhost");
  await once(server, "listening");
  const host: LimitingHost = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    target: "",
    refused,
    close: () => void server.close().closeAllConnections(),
  };

  function pass({ method, url, headers }: IncomingMessage, body: Buffer, to: ServerResponse) {
    const { hostname, port } = new URL(host.target);
    const forwarded = {
      "x-forwarded-host": headers.host,
      "x-forwarded-proto": "http",
      ...(body.length > 0 ? { "content-length": body.length } : {}),
    };
    const { "transfer-encoding": _chunked, ...own } = headers;
    const path = url ?? "/";
    const options = { hostname, port, path, method, headers: { ...own, ...forwarded } };
    const passed = request(options, (response) => {
      to.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(to);
    });
    passed.on("error", () => to.destroy());
    to.on("close", () => passed.destroy());
    passed.end(body);
  }
  return host;
}

/** The whole body. Undefined if it is too large; it is then received and dropped. */
async function receive(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(chunks);
}

/** The response of the platform, which is not JSON and has no `X-Error-Code`. */
function refuse(outgoing: ServerResponse): void {
  const code = "FUNCTION_PAYLOAD_TOO_LARGE";
  const headers = { "content-type": "text/plain; charset=utf-8", "x-vercel-error": code };
  outgoing.writeHead(413, headers).end(`Request Entity Too Large\n\n${code}\n`);
}
