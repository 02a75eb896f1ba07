import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { RunnerKind } from "#lib/db/queries/jobs/runners.ts";
import { fastStart, projectFolder } from "#lib/setup/node24.mjs";

/** A runner in a separate process, with the database and the data folder of the test. */
export class RunnerProcess {
  readonly #child: ChildProcess;
  /** Resolves when it has ended and all of its log has been read. */
  readonly #closed: Promise<unknown>;
  /** Its log so far, one JSON object per line. */
  log = "";

  private constructor(
    variables: Record<string, string>,
    kind: RunnerKind,
    prefix: readonly string[],
  ) {
    const words = [...prefix, process.execPath, ...fastStart, "scripts/runner.ts", kind];
    const [command = process.execPath, ...args] = words;
    this.#child = spawn(command, args, {
      cwd: projectFolder,
      env: {
        ...process.env,
        LOG_LEVEL: "info",
        STATUS_CHECKS: "off",
        MEDIAMILL_SERVICE: kind,
        ...variables,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#closed = once(this.#child, "close");
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.log += chunk.toString("utf8");
      });
    }
  }

  /** Resolves when it is ready for work. `prefix`: command words to put before `node`. */
  static async start(
    variables: Record<string, string>,
    kind: RunnerKind = "media",
    prefix: readonly string[] = [],
  ): Promise<RunnerProcess> {
    const runner = new RunnerProcess(variables, kind, prefix);
    const ready = once(runner.#child, "message");
    await Promise.race([ready, runner.ended]);
    if (!runner.isAlive) {
      await runner.#closed;
      throw new Error(`the runner did not start: ${runner.log}`);
    }
    return runner;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves with the exit code or signal. */
  get ended(): Promise<number | NodeJS.Signals | null> {
    const end = () => this.#child.exitCode ?? this.#child.signalCode;
    return this.isAlive ? once(this.#child, "exit").then(end) : Promise.resolve(end());
  }

  /** Ids of the jobs that it started, once per start. */
  get started(): string[] {
    return this.#starts.map((line) => /"job":"(\w+)"/.exec(line)?.[1] ?? "");
  }

  /** The run of Inngest in which it last started a job, by its log. */
  runOf(jobId: string): string | undefined {
    const line = this.#starts.findLast((one) => one.includes(`"job":"${jobId}"`));
    return /"inngest_run":"([\w-]+)"/.exec(line ?? "")?.[1];
  }

  get #starts(): string[] {
    return this.log.split("\n").filter((line) => line.includes('"msg":"job started"'));
  }

  /** Sends SIGTERM. Resolves with the exit code or signal. */
  stop(): Promise<number | NodeJS.Signals | null> {
    this.#child.kill("SIGTERM");
    return this.ended;
  }

  kill(): Promise<number | NodeJS.Signals | null> {
    this.#child.kill("SIGKILL");
    return this.ended;
  }
}

/** Restarts a runner whenever it dies, as the supervisor does. */
export class SupervisedRunner {
  readonly #variables: Record<string, string>;
  readonly #running: Promise<void>;
  #runner: RunnerProcess | undefined;
  #stopped = false;

  constructor(variables: Record<string, string>) {
    this.#variables = variables;
    this.#running = this.#keepRunning();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#runner?.stop();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    while (!this.#stopped) {
      this.#runner = await RunnerProcess.start(this.#variables);
      if (this.#stopped) await this.#runner.stop();
      await this.#runner.ended;
    }
  }
}
