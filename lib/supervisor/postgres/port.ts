import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** Below the range from which systems take ports for outgoing connections, so that none takes ours. */
const firstPort = 15_000;
const lastPort = 32_000;

/** Where the database's port is kept. */
export function portFile(dataDir: string): string {
  return join(dataDir, "run", "postgres.port");
}

/** The port of the last time if it is free, so that addresses stay valid; else another one. */
export async function keepPort(dataDir: string): Promise<number> {
  const file = portFile(dataDir);
  const kept = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  if (kept > 0 && (await isFree(kept))) return kept;
  const port = await findFreePort();
  writeFileSync(file, `${port}\n`);
  return port;
}

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once("error", () => resolve(false));
  server.listen({ port, host: "127.0.0.1", exclusive: true }, () =>
    server.close(() => resolve(true)),
  );
  return promise;
}
