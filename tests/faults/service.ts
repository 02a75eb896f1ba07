import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { Webhook } from "standardwebhooks";
import type { Job } from "#lib/jobs/view/job.ts";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { startFileServer } from "../servers/files.ts";
import type { ReceivedWebhook } from "../servers/webhook-receiver.ts";
import { hasEnded, type Stack, startSmallStack } from "../service/stack.ts";
import { waitUntil } from "../support/processes.ts";
import { emptyHistory, type FinalState, findViolations, type History } from "./history.ts";
import type { FaultInput } from "./inputs.ts";
import { findOrphans } from "./orphans.ts";
import { FaultPlan } from "./plan.ts";

/** Timeout for the service to recover. Its own delays are short in these tests. */
const recoveryTimeoutMs = 60_000;

/** Where the receiver gets the events of the endpoint. */
const eventsPath = "/events";

/**
 * A complete service whose processes follow a fault plan, a host that it fetches inputs from, a receiver
 * of its webhooks, and a client that repeats each request until it succeeds. The client and the receiver
 * record what they observe in the history.
 */
export class FaultService {
  readonly plan: FaultPlan;
  readonly stack: Stack;
  readonly history: History = emptyHistory();
  /** Files in this folder are served at `hostUrl`. */
  readonly folder: string;
  readonly hostUrl: string;
  readonly #servers: readonly Server[];
  readonly #receiverUrl: string;
  #submittedCount = 0;
  #secret = "";
  /** The secret of the endpoint that is subscribed to every event of jobs. */
  #endpointSecret = "";
  /** Each violation is reported only once. */
  readonly #reported = new Set<string>();

  private constructor(
    fields: Pick<FaultService, "plan" | "stack" | "folder" | "hostUrl">,
    host: Server,
    receiver: Server,
  ) {
    this.plan = fields.plan;
    this.stack = fields.stack;
    this.folder = fields.folder;
    this.hostUrl = fields.hostUrl;
    this.#servers = [host, receiver];
    this.#receiverUrl = `http://127.0.0.1:${readPort(receiver)}/`;
    receiver.on("request", async (request, response) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const hook = { at: Date.now(), headers, body: await text(request) };
      if (request.url === eventsPath) {
        this.history.events.push({ ...hook, ...verify(this.#endpointSecret, hook) });
      } else this.history.hooks.push({ ...hook, ...verify(this.#secret, hook) });
      response.end();
    });
  }

  static async start(variables: Record<string, string> = {}): Promise<FaultService> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-host-"));
    const host = await startFileServer(folder);
    const receiver = createServer().listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const allowed = [host.port, readPort(receiver)].map((port) => `127.0.0.1:${port}`);
    const plan = new FaultPlan();
    const stack = await startSmallStack({
      ...plan.variables,
      FETCH_ALLOW: allowed.join(","),
      LOG_LEVEL: "warn",
      // Two jobs run at the same time.
      MEDIA_CONCURRENCY: "2",
      ...variables,
    });
    const hostUrl = `http://127.0.0.1:${host.port}`;
    const service = new FaultService({ plan, stack, folder, hostUrl }, host.server, receiver);
    service.#secret = await service.#readSecret();
    service.#endpointSecret = await service.#subscribe();
    return service;
  }

  /** Resolves with the exit code. */
  async stop(): Promise<number | null> {
    const code = await this.stack.stop();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
    this.plan.remove();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
    return code;
  }

  /** Submits a job until it is accepted, then waits for its end. The service may be killed meanwhile. */
  async submit(input: FaultInput): Promise<Job> {
    const key = `request ${++this.#submittedCount}`;
    const form = new FormData();
    for (const [name, value] of Object.entries(input.form)) form.append(name, value);
    form.append("webhook_url", this.#receiverUrl);
    const headers = { "idempotency-key": key };
    const init = { method: "POST", body: form, headers };
    const job = await this.#requestUntilOk<Job>(`/v1/${input.operation}`, init);
    const ids = this.history.accepted.get(key) ?? [];
    this.history.accepted.set(key, [...ids, job.id]);
    return this.waitForEnd(job);
  }

  /** Polls a job until it has ended, and records its states. */
  async waitForEnd(accepted: Job): Promise<Job> {
    const states = [accepted];
    this.history.seen.set(accepted.id, states);
    let job = accepted;
    const deadline = Date.now() + recoveryTimeoutMs;
    while (job.status === "pending" || job.status === "processing") {
      if (Date.now() > deadline) throw new Error(`${job.id} is still ${job.status}`);
      await wait(100);
      job = await this.#requestUntilOk<Job>(`/v1/jobs/${job.id}`);
      states.push(job);
    }
    return job;
  }

  /**
   * Polls until no guarantee is violated, or until half of the recovery timeout is over. Resolves with
   * the violations that remain.
   */
  async findViolations(outputs: ReadonlyMap<Job, FaultInput>): Promise<string[]> {
    const badOutputs = await this.#readOutputs(outputs);
    let found: string[] = ["the guarantees were not checked"];
    const poll = async () => {
      const all = findViolations(this.history, { ...(await this.#readFinalState()), badOutputs });
      found = all.filter((one) => !this.#reported.has(one));
      return found.length === 0;
    };
    // Webhooks and cleanup follow the end of a job.
    await waitUntil(poll, recoveryTimeoutMs / 2).catch(() => {});
    for (const one of found) this.#reported.add(one);
    return found;
  }

  /** Calls `work` with a connection to the service's database. */
  async sql<Result>(work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
    const url = await findRunningDatabase(this.stack.dataDir);
    if (!url) throw new Error("the service's database is unavailable");
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /** Creates an endpoint for every event of jobs, and returns its secret. */
  async #subscribe(): Promise<string> {
    const url = `${this.#receiverUrl.slice(0, -1)}${eventsPath}`;
    const { secret } = await this.#requestUntilOk<{ secret: string }>("/v1/webhooks/endpoints", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url, events: ["job.*"] }),
    });
    return secret;
  }

  /** The secret that signs the account's webhooks. */
  async #readSecret(): Promise<string> {
    const rows = await this.sql(
      (sql) => sql<{ secret: string }[]>`
        select webhook_secret as secret from accounts where email = 'admin@localhost'`,
    );
    return rows[0]?.secret ?? "";
  }

  async #readFinalState(): Promise<Omit<FinalState, "badOutputs">> {
    const [reserved, orphans] = await this.sql(async (sql) => [
      await sql<{ bytes: number }[]>`
        select coalesce(sum(reserved_bytes), 0)::float8 as bytes from usage`,
      await findOrphans(this.stack.dataDir, sql),
    ]);
    return {
      jobs: await this.#listJobs(),
      usage: await this.#requestUntilOk("/v1/usage"),
      reservedBytes: reserved[0]?.bytes ?? 0,
      orphans,
    };
  }

  async #listJobs(): Promise<Job[]> {
    const all: Job[] = [];
    for (let offset = 0; ; offset += 100) {
      const path = `/v1/jobs?limit=100&offset=${offset}`;
      const { jobs } = await this.#requestUntilOk<{ jobs: Job[] }>(path);
      all.push(...jobs);
      if (jobs.length < 100) return all;
    }
  }

  async #readOutputs(outputs: ReadonlyMap<Job, FaultInput>): Promise<Map<string, string>> {
    const bad = new Map<string, string>();
    for (const [job, input] of outputs) {
      const [output] = job.outputs;
      if (job.status !== "completed" || !output) {
        bad.set(job.id, `is ${job.status}: ${job.error}`);
        continue;
      }
      const bytes = Buffer.from(await (await fetch(output.url)).arrayBuffer());
      const path = join(this.folder, "output");
      await writeFile(path, bytes);
      const problem =
        bytes.length === output.bytes
          ? await input.check(job, path)
          : `its output has ${bytes.length} bytes, not ${output.bytes}`;
      if (problem) bad.set(job.id, problem);
    }
    return bad;
  }

  /** Repeats a request while the service is unavailable or returns an error. */
  async #requestUntilOk<Body>(path: string, init: RequestInit = {}): Promise<Body> {
    const deadline = Date.now() + recoveryTimeoutMs;
    const headers = { ...init.headers, "x-api-key": this.stack.apiKey };
    while (Date.now() < deadline) {
      if (hasEnded(this.stack.process)) {
        throw new Error(`the service has ended:\n${this.stack.output()}`);
      }
      const url = `${this.stack.url}${path}`;
      const response = await fetch(url, { ...init, headers }).catch(() => undefined);
      const body = await response?.text().catch(() => undefined);
      if (response?.ok && body !== undefined) return JSON.parse(body);
      if (response && body !== undefined) {
        const { status } = response;
        const retryAfter = response.headers.get("retry-after");
        const request = `${init.method ?? "GET"} ${path}`;
        this.history.errorResponses.push({ request, status, retryAfter, body });
      }
      await wait(100);
    }
    throw new Error(`${path} did not succeed within ${recoveryTimeoutMs} ms`);
  }
}

function verify(secret: string, { body, headers }: ReceivedWebhook): { badSignature?: string } {
  try {
    new Webhook(secret).verify(body, headers);
    return {};
  } catch (error) {
    return { badSignature: String(error) };
  }
}

function readPort(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return address.port;
}
