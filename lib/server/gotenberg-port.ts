import type { Server } from "node:http";
import { gotenbergVariables } from "#lib/env.ts";
import { gotenbergSettings } from "#lib/gotenberg/base/settings.ts";
import { ineffectiveVariables } from "#lib/gotenberg/base/variables.ts";
import { log } from "#lib/log.ts";
import { gotenbergListener } from "./api-listener.ts";
import { createWebServer } from "./server.ts";

/**
 * The server for clients of Gotenberg. Warns about its variables that have no effect, and throws for one that is not
 * valid.
 */
export function createGotenbergServer(): Server {
  gotenbergSettings();
  for (const warning of ineffectiveVariables(gotenbergVariables())) log.warn(warning);
  // Clients call it by the name of a container, which is not that of the service.
  return createWebServer(gotenbergListener, undefined, { anyHost: true });
}
