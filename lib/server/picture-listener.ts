import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { answerImgproxyPath, answerPath, isPicturePath } from "#lib/api/pictures/answer.ts";
import type { PictureResponse } from "#lib/images/serve/respond.ts";
import { log } from "#lib/log.ts";
import { trackConnections } from "./connections.ts";

/** Responds to requests for pictures without the rest of the API, most of them from the cache. */

type Answer = (
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
) => Promise<PictureResponse>;

/** Passes requests whose path is none of a picture to `next`. */
export function createPictureListener(next: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    if (isPicturePath(incoming.url ?? "")) respond(incoming, outgoing, answerPath);
    else next(incoming, outgoing);
  };
}

/**
 * A server that speaks imgproxy's URLs. It answers for any host name: its URLs are signed, and it has no
 * pages.
 */
export function createImgproxyServer(): Server {
  const server = createServer({ requestTimeout: 30_000, keepAliveTimeout: 65_000 });
  trackConnections(server);
  server.on("request", (incoming, outgoing) => {
    outgoing.setHeader("X-Content-Type-Options", "nosniff");
    const { url = "" } = incoming;
    if (url === "/health" || url === "/health/") {
      outgoing.writeHead(200, { "Content-Type": "text/plain" }).end("imgproxy is running");
    } else {
      respond(incoming, outgoing, answerImgproxyPath);
    }
  });
  return server;
}

function respond(incoming: IncomingMessage, outgoing: ServerResponse, answer: Answer): void {
  incoming.resume();
  const { method = "", url = "" } = incoming;
  if (method === "OPTIONS") {
    const headers = { Allow: allowed, "Access-Control-Allow-Origin": "*" };
    outgoing.writeHead(204, headers).end();
  } else if (method !== "GET" && method !== "HEAD") {
    outgoing.writeHead(405, { Allow: allowed, "Content-Type": "text/plain" });
    outgoing.end("Only GET and HEAD are allowed.\n");
  } else {
    answer(url, plainHeaders(incoming))
      .then(({ status, headers, body }) => {
        outgoing.writeHead(status, headers);
        outgoing.end(method === "HEAD" ? undefined : body);
      })
      .catch((err) => {
        log.error({ err }, "picture not sent");
        outgoing.destroy();
      });
  }
}

const allowed = "GET, HEAD, OPTIONS";

/** The headers that pictures depend on have one value each. */
function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  // Node.js joins repeated headers; only cookies of responses are lists.
  return headers as Readonly<Record<string, string | undefined>>;
}
