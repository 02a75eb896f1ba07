import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fastStart, projectFolder } from "#lib/setup/node24.mjs";
import type { LogCollector } from "../logs/log-collector.ts";
import type { FirstAccount } from "../start/banner.ts";

/** The delay between attempts while an external database is unavailable. */
const retryDelayMs = 2000;

/** Migrates the database and creates the first account, in a separate process. */
export class DatabaseSetup {
  readonly #variables: NodeJS.ProcessEnv;
  readonly #log: LogCollector;
  readonly #stopped = new AbortController();
  #child: ChildProcess | undefined;

  constructor(variables: NodeJS.ProcessEnv, log: LogCollector) {
    this.#variables = variables;
    this.#log = log;
  }

  /** Starts the process early: it takes as long to load as the database takes to start. */
  preload(): void {
    this.#spawn();
  }

  /** Resolves when the schema is up to date. Retries while the database is unavailable. */
  async migrate(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      if (await this.#request("migrated")) return;
      this.#log.event("error", `database not ready, next attempt in ${retryDelayMs / 1000} s`);
      await wait(retryDelayMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
    }
  }

  /** Creates the first account and returns it; undefined if there is any account already, unless the database is new. */
  async createFirstAccount(): Promise<FirstAccount | undefined> {
    while (!this.#stopped.signal.aborted) {
      if (!this.#child) await this.migrate();
      const reply = await this.#request("account");
      if (reply) return reply.account;
    }
    return undefined;
  }

  stop(): void {
    this.#stopped.abort();
    this.#child?.kill("SIGKILL");
  }

  /** Requests one step from the process. Resolves with its reply; undefined if the process ended. */
  #request(type: "migrated" | "account"): Promise<{ account?: FirstAccount } | undefined> {
    const child = this.#child ?? this.#spawn();
    if (child.connected) child.send({ type });
    const { promise, resolve } = Promise.withResolvers<{ account?: FirstAccount } | undefined>();
    const onMessage = (message: { type: string; account?: FirstAccount }) => {
      if (message.type === type) resolve(message);
    };
    const onExit = () => resolve(undefined);
    child.on("message", onMessage).once("exit", onExit);
    return promise.finally(() => child.off("message", onMessage).off("exit", onExit));
  }

  #spawn(): ChildProcess {
    const script = join(import.meta.dirname, "database-setup-process.ts");
    const child = spawn(process.execPath, [...fastStart, script], {
      cwd: projectFolder,
      detached: true,
      env: { ...this.#variables, MEDIAMILL_SERVICE: "supervisor" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    if (child.stdout) this.#log.attach(child.stdout, "supervisor", "info");
    if (child.stderr) this.#log.attach(child.stderr, "supervisor", "warn");
    child.once("exit", () => {
      this.#child = undefined;
    });
    return child;
  }
}
