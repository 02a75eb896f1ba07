import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FirstAccount } from "./banner.ts";
import { launchDatabasePart } from "./database-service.ts";
import type { Log } from "./log.ts";
import { launchNodePart } from "./node-service.ts";
import { type Database, openDatabase } from "./postgres/server.ts";
import { Preparation } from "./preparation.ts";
import { StartError } from "./start-error.ts";
import { SupervisedPart } from "./supervised-service.ts";

/** A part and the program that it is: words after `node`. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
}

export interface StackPlan {
  readonly dataDir: string;
  /** Undefined: the embedded database. */
  readonly databaseUrl: string | undefined;
  /** The environment of every program, but for `DATABASE_URL`. */
  readonly variables: NodeJS.ProcessEnv;
  /** The first one serves the requests: it stops before the others. */
  readonly programs: readonly Program[];
  readonly log: Log;
}

/** From the signal until what still runs is killed. */
export const graceMs = 30_000;

/** How long the others go on while the first part finishes the requests that wait for them. */
const headStartMs = 1000;

/** The parts of one running service. */
export class Stack {
  readonly #plan: StackPlan;
  #database: SupervisedPart | undefined;
  #preparation: Preparation | undefined;
  #programs: SupervisedPart[] = [];
  #stopping: Promise<void> | undefined;

  constructor(plan: StackPlan) {
    this.#plan = plan;
  }

  /** Database, migrations, programs; resolves when all are ready, with the account of a first start. */
  async start(): Promise<FirstAccount | undefined> {
    const { databaseUrl, log, programs } = this.#plan;
    const database = databaseUrl === undefined ? await this.#openDatabase() : undefined;
    const variables = { ...this.#plan.variables, DATABASE_URL: database?.url ?? databaseUrl };
    if (this.#stopping) return undefined;
    this.#preparation = new Preparation(variables, log);
    this.#preparation.load();
    if (database) await this.#startDatabase(database);
    await this.#preparation.migrate();
    if (this.#stopping) return undefined;
    this.#programs = programs.map(({ name, args }) =>
      this.#part(name, { launch: () => launchNodePart(name, args, variables, log) }),
    );
    await Promise.all(this.#programs.map((part) => part.start()));
    return this.#preparation.makeFirstAccount();
  }

  /** Restarts all programs but the first. */
  restartRunners(): void {
    for (const part of this.#programs.slice(1)) part.restart();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#preparation?.stop();
    const [first, ...others] = this.#programs;
    const firstStopped = first?.stop(graceMs);
    if (firstStopped) await Promise.race([firstStopped, wait(headStartMs)]);
    const rest = graceMs - headStartMs;
    await Promise.all([firstStopped, ...others.map((part) => part.stop(rest))]);
    // What is left of the cluster's own time to write everything down; it survives a kill as well.
    await this.#database?.stop(graceMs);
  }

  async #openDatabase(): Promise<Database> {
    try {
      return await openDatabase(this.#plan.dataDir);
    } catch (error) {
      throw new StartError(error instanceof Error ? error.message.trimEnd() : String(error));
    }
  }

  #startDatabase(database: Database): Promise<void> {
    this.#database = this.#part("postgres", {
      launch: () => launchDatabasePart(database, this.#plan.log),
      stopSignal: "SIGINT",
    });
    return this.#database.start();
  }

  #part(
    name: string,
    how: Pick<ConstructorParameters<typeof SupervisedPart>[0], "launch" | "stopSignal">,
  ): SupervisedPart {
    return new SupervisedPart({
      ...how,
      name,
      pidFile: join(this.#plan.dataDir, "run", `${name}.pid`),
      report: (level, message) => this.#plan.log.event(level, "start", `${name} ${message}`),
    });
  }
}
