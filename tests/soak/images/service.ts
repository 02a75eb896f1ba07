import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { startTranscriptionServer } from "#tests/servers/transcription.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, until } from "#tests/service/stack.ts";
import type { Container, ContainerOptions, OpenImage } from "./container.ts";

const email = "someone@example.com";
const password = "a password for this soak only";
const metricsToken = "token-of-the-operator";

export interface ImageService {
  readonly url: string;
  readonly client: ApiClient;
  /** Starts a runner of another image, and waits until the service is ready. Returns the level of its sandbox. */
  startRunner(image: OpenImage, variables?: Record<string, string>): Promise<string>;
  /** Stops the runner that was started last. */
  stopRunner(): Promise<void>;
  /** Reads a page as someone who has signed in. */
  read(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** What web and the webhook runner have printed: warnings and errors. */
  log(): string;
  stop(): Promise<void>;
}

/** A folder that the user of the images may write. */
export function makeVolume(path: string): string {
  mkdirSync(join(path, "storage"), { recursive: true });
  for (const folder of [path, join(path, "storage")]) chownSync(folder, 1000, 1000);
  return path;
}

/** Waits until the health check of the image passes in the container. */
export async function waitForHealth(
  image: OpenImage,
  container: Container,
  options: ContainerOptions,
): Promise<void> {
  const [kind, ...words] = image.config.Healthcheck?.Test ?? [];
  if (kind !== "CMD") throw new Error("the image has no health check");
  await until(() => {
    if (container.hasEnded()) throw new Error(`it ended: ${container.output()}`);
    try {
      image.run({ ...options, words });
      return true;
    } catch {
      return false;
    }
  }, 120_000);
}

/** A database of this machine, its migration, web and the webhook runner by the image `web`. */
export async function startImageService(web: OpenImage, folder: string): Promise<ImageService> {
  const volume = makeVolume(join(folder, "volume"));
  const database = await startDatabase(folder);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const variables = {
    DATABASE_URL: database.url,
    SECRET: "a secret for this soak only",
    METRICS_TOKEN: metricsToken,
    APP_URL: url,
    PORT: String(port),
    LOG_LEVEL: "warn",
    STATUS_CHECKS: "off",
    TRANSCRIBE_URL: await startTranscriptionServer(),
  };
  const containers: Container[] = [];
  const start = async (image: OpenImage, name: string, options: ContainerOptions) => {
    const container = image.start(join(folder, `${name}.log`), options);
    containers.push(container);
    await waitForHealth(image, container, options);
  };
  const stopLast = async () => {
    const container = containers.pop();
    const code = await container?.stop();
    if (code !== 0) throw new Error(`it exited with ${code}: ${container?.output()}`);
  };
  const options = { volume, variables };
  const words = ["node", "lib/supervisor/database/database-setup-process.ts", "migrate-only"];
  web.run({ ...options, words });
  const admin = (...args: string[]) =>
    JSON.parse(web.run({ ...options, command: ["admin", ...args, "--email", email, "--json"] }));
  const { api_key } = admin("account", "create", "--plan", "enterprise", "--password", password);
  await start(web, "web", options);
  const webhooks = { ...variables, HEALTH_PORT: String(await freePort()) };
  await start(web, "webhooks", {
    volume,
    variables: webhooks,
    command: ["runner", "webhooks"],
  });
  const cookie = await signIn(url);
  const readiness = async () => {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    return (await fetch(`${url}/readyz`, { headers })).json();
  };
  return {
    url,
    client: new ApiClient(url, api_key),
    async startRunner(image, more = {}) {
      const healthPort = String(await freePort());
      await start(image, "media", {
        volume,
        variables: { ...variables, HEALTH_PORT: healthPort, ...more },
      });
      await until(async () => (await fetch(`${url}/readyz`)).ok, 60_000);
      return (await readiness()).sandbox;
    },
    stopRunner: stopLast,
    async read(path) {
      const response = await fetch(`${url}${path}`, { headers: { cookie }, redirect: "manual" });
      return { status: response.status, text: await response.text() };
    },
    log: () =>
      containers
        .slice(0, 2)
        .map((container) => container.output())
        .join(""),
    async stop() {
      for (const container of containers.splice(0).reverse()) await container.stop();
      await database.stop();
    },
  };
}

/** Signs in by NextAuth's own requests, and returns the cookies of the session. */
async function signIn(url: string): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const response = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { origin: url, cookie: cookiesOf(csrf) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
    redirect: "manual",
  });
  if (!response.ok) throw new Error(`sign-in returned ${response.status}`);
  return cookiesOf(response);
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
