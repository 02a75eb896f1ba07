import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startFileServer } from "./file-server.ts";
import { freePort, startStack } from "./stack.ts";

declare module "vitest" {
  export interface ProvidedContext {
    service: { url: string; apiKey: string; dataDir: string };
    /**
     * A host of inputs that the service may fetch from: what is put into `folder` is there at `url`.
     * On its spare ports nobody listens until a test does.
     */
    host: { url: string; folder: string; sparePorts: readonly number[] };
  }
}

/** One running service for all API tests, and a host that it may fetch from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-host-"));
  const { server, port } = await startFileServer(folder);
  const sparePorts = [await freePort(), await freePort()];
  const allowed = [port, ...sparePorts].map((one) => `127.0.0.1:${one}`);
  const stack = await startStack({ FETCH_ALLOW: allowed.join(",") });
  const { url, apiKey, dataDir } = stack;
  project.provide("service", { url, apiKey, dataDir });
  project.provide("host", { url: `http://127.0.0.1:${port}`, folder, sparePorts });
  return async () => {
    const code = await stack.stop();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
    if (code !== 0)
      throw new Error(`the service exited with ${code}:\n${stack.output().slice(-4000)}`);
  };
}
