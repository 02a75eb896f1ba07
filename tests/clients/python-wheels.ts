import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pythonClients } from "#lib/setup/test-servers.mjs";

/**
 * The environment in which Python imports the clients of others that have no package of the system: a wheel of Python
 * code needs no installation.
 */
export async function pythonWithWheels(): Promise<NodeJS.ProcessEnv> {
  const names = await readdir(pythonClients);
  const path = names.map((name) => join(pythonClients, name)).join(":");
  return { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: "1" };
}
