import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseSetup } from "./database/database-setup.ts";
import type { LogCollector } from "./logs/log-collector.ts";
import { type Database, openDatabase } from "./postgres/server.ts";
import { launchNodeService } from "./services/launch-node-service.ts";
import { launchPostgres } from "./services/launch-postgres.ts";
import { type ServicePlan, SupervisedService } from "./services/supervised-service.ts";
import type { FirstAccount } from "./start/banner.ts";
import { StartError } from "./start/start-error.ts";

/** A service and its program. `args` are the arguments of `node`. */
export interface ServiceProgram {
  readonly name: string;
  readonly args: readonly string[];
}

export interface StackPlan {
  readonly dataDir: string;
  /** The URL of the database; undefined for the embedded one. */
  readonly databaseUrl: string | undefined;
  /** The environment of every program, without `DATABASE_URL`. */
  readonly variables: NodeJS.ProcessEnv;
  /** The first one serves the HTTP requests and stops before the others. */
  readonly programs: readonly ServiceProgram[];
  readonly log: LogCollector;
}

/** The time from the stop signal until remaining processes are killed. */
const gracePeriodMs = 30_000;

/** How long the other services continue while the first one finishes requests that depend on them. */
const firstServiceHeadStartMs = 1000;

/** All services of one installation, started and stopped in order. */
export class ServiceStack {
  readonly #plan: StackPlan;
  #database: SupervisedService | undefined;
  #databaseSetup: DatabaseSetup | undefined;
  #programs: SupervisedService[] = [];
  #stopping: Promise<void> | undefined;

  constructor(plan: StackPlan) {
    this.#plan = plan;
  }

  /**
   * Starts the database, migrates it, then starts the programs. Resolves when all are ready, with the
   * first account if this start created it.
   */
  async start(): Promise<FirstAccount | undefined> {
    const { databaseUrl, log, programs } = this.#plan;
    const database = databaseUrl === undefined ? await this.#openDatabase() : undefined;
    const variables = {
      ...this.#plan.variables,
      DATABASE_URL: database?.url ?? databaseUrl,
      MEDIAMILL_DATABASE_SOCKET: database?.socket,
    };
    if (this.#stopping) return undefined;
    this.#databaseSetup = new DatabaseSetup(variables, log);
    this.#databaseSetup.preload();
    if (database) await this.#startDatabase(database);
    await this.#databaseSetup.migrate();
    if (this.#stopping) return undefined;
    this.#programs = programs.map(({ name, args }) =>
      this.#supervise(name, { launch: () => launchNodeService(name, args, variables, log) }),
    );
    await Promise.all(this.#programs.map((service) => service.start()));
    return this.#databaseSetup.createFirstAccount();
  }

  /** Restarts all programs except the first. */
  restartRunners(): void {
    for (const service of this.#programs.slice(1)) service.restart();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#databaseSetup?.stop();
    const [first, ...others] = this.#programs;
    const firstStopped = first?.stop(gracePeriodMs);
    if (firstStopped) await Promise.race([firstStopped, wait(firstServiceHeadStartMs)]);
    const remainingMs = gracePeriodMs - firstServiceHeadStartMs;
    await Promise.all([firstStopped, ...others.map((service) => service.stop(remainingMs))]);
    // A clean shutdown writes everything to disk. The cluster also survives a kill.
    await this.#database?.stop(gracePeriodMs);
  }

  async #openDatabase(): Promise<Database> {
    try {
      return await openDatabase(this.#plan.dataDir);
    } catch (error) {
      throw new StartError(error instanceof Error ? error.message.trimEnd() : String(error));
    }
  }

  #startDatabase(database: Database): Promise<void> {
    this.#database = this.#supervise("postgres", {
      launch: () => launchPostgres(database, this.#plan.log),
      stopSignal: "SIGINT",
    });
    return this.#database.start();
  }

  #supervise(name: string, options: Pick<ServicePlan, "launch" | "stopSignal">): SupervisedService {
    return new SupervisedService({
      ...options,
      name,
      pidFile: join(this.#plan.dataDir, "run", `${name}.pid`),
      report: (level, message) => this.#plan.log.event(level, `${name} ${message}`),
    });
  }
}
