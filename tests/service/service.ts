import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFileServer } from "../servers/files.ts";
import { SpanCollector } from "../servers/otlp.ts";
import { startTranscriptionServer } from "../servers/transcription.ts";
import { freePort, startStack } from "./stack.ts";

/** The bearer token of the service's `/metrics`. */
export const metricsToken = "metrics-of-the-tests";

/** The hosts under which the service responds, in addition to its own. */
const allowedHosts = "media.test, Proxy.Test:8443";

/** The running service. */
export interface Service {
  readonly url: string;
  /** The key of `admin@localhost`. */
  readonly apiKey: string;
  readonly dataDir: string;
  /**
   * The account `admin@localhost` as the start printed it. Its password must be replaced at the
   * first sign-in.
   */
  readonly firstAccount: { readonly email: string; readonly password: string };
  /** Where to read the spans of its traces; see `SpanCollector`. */
  readonly spansUrl: string;
}

/**
 * A file host that the service may fetch from: it serves the files in `folder` at `url`. Its spare ports
 * are allowed too and have no listener until a test starts one.
 */
export interface InputHost {
  readonly url: string;
  readonly folder: string;
  readonly sparePorts: readonly number[];
  /** A further spare port that is allowed for webhooks only. */
  readonly webhookPort: number;
}

export interface ServiceWithHost {
  readonly service: Service;
  readonly host: InputHost;
  /** Rejects if the service does not exit with 0, or if one of its processes ended before. */
  stop(): Promise<void>;
}

/** Starts the whole service, and a host for its inputs and webhooks. */
export async function startService(): Promise<ServiceWithHost> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-host-"));
  const { server, port } = await startFileServer(folder);
  const sparePorts = [await freePort(), await freePort()];
  const webhookPort = await freePort();
  const allowed = [port, ...sparePorts].map((one) => `127.0.0.1:${one}`);
  allowed.push(`webhooks=127.0.0.1:${webhookPort}`, "connections=127.0.0.1:*");
  const collector = await SpanCollector.start();
  const stack = await startStack({
    ...collector.variables,
    FETCH_ALLOW: allowed.join(","),
    METRICS_TOKEN: metricsToken,
    ALLOWED_HOSTS: allowedHosts,
    TRANSCRIBE_URL: await startTranscriptionServer(),
  });
  const { url, apiKey, dataDir } = stack;
  const password = /password\s+(\w{16})/.exec(stack.output())?.[1] ?? "";
  const firstAccount = { email: "admin@localhost", password };
  return {
    service: { url, apiKey, dataDir, firstAccount, spansUrl: `${collector.url}/spans` },
    host: { url: `http://127.0.0.1:${port}`, folder, sparePorts, webhookPort },
    async stop() {
      const code = await stack.stop();
      collector.stop();
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
      if (code !== 0)
        throw new Error(`the service exited with ${code}:\n${stack.output().slice(-4000)}`);
      const restarts = findRestarts(stack.output());
      if (restarts !== "")
        throw new Error(`a process of the service had to be replaced:\n${restarts}`);
    },
  };
}

/** What the supervisor reported of processes that ended or did not respond, each with the ten lines before it. */
function findRestarts(output: string): string {
  const lines = output.split("\n");
  return lines
    .flatMap((line, index) =>
      /"(?:web|media|webhooks|postgres) (?:ended \(|did not respond)/.test(line)
        ? lines.slice(Math.max(0, index - 10), index + 1)
        : [],
    )
    .map((line) => line.slice(0, 500))
    .join("\n");
}
