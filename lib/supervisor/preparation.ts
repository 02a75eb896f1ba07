import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fastStart, projectFolder } from "#scripts/setup/node24.mjs";
import type { FirstAccount } from "./banner.ts";
import type { Log } from "./log.ts";

/** The only pause that makes sense while a database of someone else's is away. */
const pauseMs = 2000;

/** Migrates the database and makes the first account, in a process of its own. */
export class Preparation {
  readonly #variables: NodeJS.ProcessEnv;
  readonly #log: Log;
  readonly #stopped = new AbortController();
  #child: ChildProcess | undefined;

  constructor(variables: NodeJS.ProcessEnv, log: Log) {
    this.#variables = variables;
    this.#log = log;
  }

  /** Starts the process ahead of need: it takes as long to load as a database does to start. */
  load(): void {
    this.#spawn();
  }

  /** Resolves when the schema is up to date; tries again for as long as the database is away. */
  async migrate(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      if (await this.#ask("migrated")) return;
      this.#log.event(
        "error",
        "start",
        `The database is not ready; next try in ${pauseMs / 1000} s`,
      );
      await wait(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
    }
  }

  /** The account made on the very first start, once; undefined on every later one. */
  async makeFirstAccount(): Promise<FirstAccount | undefined> {
    while (!this.#stopped.signal.aborted) {
      if (!this.#child) await this.migrate();
      const reply = await this.#ask("account");
      if (reply) return reply.account;
    }
    return undefined;
  }

  stop(): void {
    this.#stopped.abort();
    this.#child?.kill("SIGKILL");
  }

  /** Has it do the next thing: resolves with what it says of it; undefined where it ended instead. */
  #ask(type: "migrated" | "account"): Promise<{ account?: FirstAccount } | undefined> {
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
    const script = join(projectFolder, "lib", "supervisor", "prepare.ts");
    const child = spawn(process.execPath, [...fastStart, script], {
      cwd: projectFolder,
      detached: true,
      env: { ...this.#variables, MEDIAMILL_PART: "start" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    if (child.stdout) this.#log.attach(child.stdout, "start", "info");
    if (child.stderr) this.#log.attach(child.stderr, "start", "warn");
    child.once("exit", () => {
      this.#child = undefined;
    });
    return child;
  }
}
