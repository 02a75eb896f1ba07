import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as listenerModule from "#lib/server/api-listener.ts";
import type * as serverModule from "#lib/server/server.ts";

/**
 * The API of the checkout in the folder of argv, on the port after it, without its pages: they would have to be
 * built. The checkout may be of another version.
 */
const [folder = "", port = "0"] = process.argv.slice(2);
const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
// The modules of the other version have the same exports.
const { createApiListener } = (await load("lib/server/api-listener.ts")) as typeof listenerModule;
const { createWebServer } = (await load("lib/server/server.ts")) as typeof serverModule;
const listener = createApiListener((_request, response) => {
  response.writeHead(404).end();
});
createWebServer(listener).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
process.once("SIGTERM", () => process.exit(0));
