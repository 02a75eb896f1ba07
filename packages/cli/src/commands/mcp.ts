import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "../../../mcp/src/server.ts";
import { createClient } from "../settings/client.ts";
import type { Settings } from "../settings/settings.ts";
import { reportError } from "../terminal/print.ts";

/**
 * Runs `mediamill mcp`, which serves the tools of `POST /mcp` to a program that starts this one,
 * until stdin ends.
 */
export function serveMcp(settings: Settings): void {
  const client = createClient(settings);
  serveStdio(() => createMcpServer(client), { onerror: ({ message }) => reportError(message) });
}
