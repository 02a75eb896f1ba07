import { createServer } from "node:http";
import next from "next";

/**
 * A server with Next.js behind node:http, as in `scripts/web.ts`, with nothing added. Reports its
 * port by IPC.
 */
const server = createServer((request, response) => void handle(request, response));
const app = next({ dev: false, dir: import.meta.dirname, httpServer: server });
await app.prepare();
const handle = app.getRequestHandler();
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : 0);
});
