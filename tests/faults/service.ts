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
import { findRunningDatabase } from "#lib/supervisor/running-database.ts";
import { startFileServer } from "../servers/files.ts";
import type { ReceivedHook } from "../servers/webhook-receiver.ts";
import { hasEnded, type Stack, startStack } from "../service/stack.ts";
import { waitUntil } from "../support/processes.ts";
import { type Ending, emptyHistory, findViolations, type History } from "./history.ts";
import type { FaultInput } from "./inputs.ts";
import { findLeftovers } from "./orphans.ts";
import { FaultPlan } from "./plan.ts";

/** How long the service may take until all is well again; its own times are short here. */
const patienceMs = 60_000;

/**
 * A whole service whose runners obey a plan of faults, with a host that it fetches from, a receiver of
 * its webhooks, and a client that asks until it is answered. Everything they see is in the history.
 */
export class FaultService {
  readonly plan: FaultPlan;
  readonly stack: Stack;
  readonly history: History = emptyHistory();
  /** What is put in here is at `hostUrl`. */
  readonly folder: string;
  readonly hostUrl: string;
  readonly #servers: readonly Server[];
  readonly #receiver: string;
  #asked = 0;
  #secret = "";
  /** What was found before is told once. */
  readonly #told = new Set<string>();

  private constructor(
    parts: Pick<FaultService, "plan" | "stack" | "folder" | "hostUrl">,
    host: Server,
    receiver: Server,
  ) {
    this.plan = parts.plan;
    this.stack = parts.stack;
    this.folder = parts.folder;
    this.hostUrl = parts.hostUrl;
    this.#servers = [host, receiver];
    this.#receiver = `http://127.0.0.1:${portOf(receiver)}/`;
    receiver.on("request", async (request, response) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const hook = { at: Date.now(), headers, body: await text(request) };
      this.history.hooks.push({ ...hook, ...this.#judge(hook) });
      response.end();
    });
  }

  static async start(variables: Record<string, string> = {}): Promise<FaultService> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-host-"));
    const host = await startFileServer(folder);
    const receiver = createServer().listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const allowed = [host.port, portOf(receiver)].map((port) => `127.0.0.1:${port}`);
    const plan = new FaultPlan();
    const stack = await startStack({
      ...plan.variables,
      FETCH_ALLOW: allowed.join(","),
      LOG_LEVEL: "warn",
      ...variables,
    });
    const hostUrl = `http://127.0.0.1:${host.port}`;
    const service = new FaultService({ plan, stack, folder, hostUrl }, host.server, receiver);
    service.#secret = await service.#readSecret();
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
    await rm(this.folder, { recursive: true, force: true });
    return code;
  }

  /** Asks for a job until it is accepted, however often the service dies meanwhile. */
  async ask(input: FaultInput): Promise<Job> {
    const key = `request ${++this.#asked}`;
    const form = new FormData();
    for (const [name, value] of Object.entries(input.form)) form.append(name, value);
    form.append("webhook_url", this.#receiver);
    const headers = { "idempotency-key": key };
    const init = { method: "POST", body: form, headers };
    const job = await this.#insist<Job>(`/v1/${input.operation}`, init);
    const ids = this.history.accepted.get(key) ?? [];
    this.history.accepted.set(key, [...ids, job.id]);
    return this.follow(job);
  }

  /** Reads a job until it has ended. */
  async follow(accepted: Job): Promise<Job> {
    const states = [accepted];
    this.history.seen.set(accepted.id, states);
    let job = accepted;
    const deadline = Date.now() + patienceMs;
    while (job.status === "pending" || job.status === "processing") {
      if (Date.now() > deadline) throw new Error(`${job.id} stays ${job.status}`);
      await wait(100);
      job = await this.#insist<Job>(`/v1/jobs/${job.id}`);
      states.push(job);
    }
    return job;
  }

  /** Until the service is as if nothing had happened: what does not hold of it. */
  async violations(outputs: ReadonlyMap<Job, FaultInput>): Promise<string[]> {
    const badOutputs = await this.#readOutputs(outputs);
    let found: string[] = ["nothing was looked at"];
    const look = async () => {
      const all = findViolations(this.history, { ...(await this.#ending()), badOutputs });
      found = all.filter((one) => !this.#told.has(one));
      return found.length === 0;
    };
    // Webhooks and clean-up come after a job's end.
    await waitUntil(look, patienceMs / 2).catch(() => {});
    for (const one of found) this.#told.add(one);
    return found;
  }

  /** Calls `work` with a connection to the service's database. */
  async sql<Result>(work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
    const url = await findRunningDatabase(this.stack.dataDir);
    if (!url) throw new Error("the service's database does not answer");
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  #judge({ body, headers }: ReceivedHook): { badSignature?: string } {
    try {
      new Webhook(this.#secret).verify(body, headers);
      return {};
    } catch (error) {
      return { badSignature: String(error) };
    }
  }

  /** What signs the account's webhooks. */
  async #readSecret(): Promise<string> {
    const rows = await this.sql(
      (sql) => sql<{ secret: string }[]>`
        select webhook_secret as secret from accounts where email = 'admin@localhost'`,
    );
    return rows[0]?.secret ?? "";
  }

  async #ending(): Promise<Omit<Ending, "badOutputs">> {
    const [reserved, leftovers] = await this.sql(async (sql) => [
      await sql<{ bytes: number }[]>`
        select coalesce(sum(reserved_bytes), 0)::float8 as bytes from usage`,
      await findLeftovers(this.stack.dataDir, sql),
    ]);
    return {
      jobs: await this.#listJobs(),
      usage: await this.#insist("/v1/usage"),
      reservedBytes: reserved[0]?.bytes ?? 0,
      leftovers,
    };
  }

  async #listJobs(): Promise<Job[]> {
    const all: Job[] = [];
    for (let offset = 0; ; offset += 100) {
      const path = `/v1/jobs?limit=100&offset=${offset}`;
      const { jobs } = await this.#insist<{ jobs: Job[] }>(path);
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

  /** Asks again while the service is away or says that it is. */
  async #insist<Body>(path: string, init: RequestInit = {}): Promise<Body> {
    const deadline = Date.now() + patienceMs;
    const headers = { ...init.headers, "x-api-key": this.stack.apiKey };
    while (Date.now() < deadline) {
      if (hasEnded(this.stack.process)) {
        throw new Error(`the service itself has ended:\n${this.stack.output()}`);
      }
      const url = `${this.stack.url}${path}`;
      const response = await fetch(url, { ...init, headers }).catch(() => undefined);
      const body = await response?.text().catch(() => undefined);
      if (response?.ok && body !== undefined) return JSON.parse(body);
      if (response && body !== undefined) {
        const { status } = response;
        const retryAfter = response.headers.get("retry-after");
        const request = `${init.method ?? "GET"} ${path}`;
        this.history.refusals.push({ request, status, retryAfter, body });
      }
      await wait(100);
    }
    throw new Error(`${path} was not answered within ${patienceMs} ms`);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return address.port;
}
