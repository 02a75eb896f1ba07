import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startFileServer } from "./file-server.ts";
import { startStack } from "./stack.ts";

declare module "vitest" {
  export interface ProvidedContext {
    service: { url: string; apiKey: string; dataDir: string };
    /** A host of inputs that the service may fetch from: what is put into `folder` is there at `url`. */
    host: { url: string; folder: string };
  }
}

/** One running service for all API tests, and a host that it may fetch from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-host-"));
  const { server, port } = await startFileServer(folder);
  const stack = await startStack({ FETCH_ALLOW: `127.0.0.1:${port}` });
  const { url, apiKey, dataDir } = stack;
  project.provide("service", { url, apiKey, dataDir });
  project.provide("host", { url: `http://127.0.0.1:${port}`, folder });
  return async () => {
    const code = await stack.stop();
    server.close();
    await rm(folder, { recursive: true, force: true });
    if (code !== 0)
      throw new Error(`the service exited with ${code}:\n${stack.output().slice(-4000)}`);
  };
}
