import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** A port below the ephemeral port range, so that no outgoing connection uses our port. */
const firstPort = 15_000;
const lastPort = 32_000;

/** The file with the database's port. */
export function portFile(dataDir: string): string {
  return join(dataDir, "run", "postgres.port");
}

/** The port of the last start if it is free, so that URLs stay valid; else another free port. */
export async function choosePort(dataDir: string): Promise<number> {
  const file = portFile(dataDir);
  const previous = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  if (previous > 0 && (await isFree(previous))) return previous;
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
