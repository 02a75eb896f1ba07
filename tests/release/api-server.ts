import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as listenerModule from "#lib/server/api-listener.ts";

/**
 * The API of the checkout in the folder of argv, on the port after it, without its pages: they would have to be
 * built. The checkout may be of another version.
 */
const [folder = "", port = "0"] = process.argv.slice(2);
const path = join(folder, "lib/server/api-listener.ts");
// The other version's module has the same exports.
const { createApiListener } = (await import(pathToFileURL(path).href)) as typeof listenerModule;
const listener = createApiListener((_request, response) => {
  response.writeHead(404).end();
});
createServer(listener).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
process.once("SIGTERM", () => process.exit(0));
