import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "#lib/setup/node24.mjs";

/** Builds and starts a Next.js app with one empty route, `GET /healthz`. */
export async function startBareNext(): Promise<{
  url: string;
  pid: number;
  stop(): Promise<void>;
}> {
  const next = join(projectFolder, "node_modules", "next", "dist", "bin", "next");
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  await promisify(execFile)(process.execPath, [next, "build", import.meta.dirname], { env });
  const child = fork(join(import.meta.dirname, "serve.ts"), { env });
  const [port] = await once(child, "message");
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
