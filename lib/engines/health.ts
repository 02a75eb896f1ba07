import { setTimeout as wait } from "node:timers/promises";
import { hasEngine } from "#lib/engine-groups.ts";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { onEngineFailure } from "./sandbox/failures/engine-failures.ts";
import type { EngineName } from "./sandbox/failures/errors.ts";
import { engineNames, readEngineVersion } from "./sandbox/versions.ts";
import { warmUps } from "./warm-ups.ts";

/** What the last checks of an engine found. */
interface EngineState {
  /** The version of the engine; null if it is missing or does not start. */
  readonly version: string | null;
  /** Whether a process for jobs failed to start. */
  readonly hasFailed: boolean;
}

const isEngine = (name: string): name is EngineName => engineNames.some((one) => one === name);

const isSelected = (engine: EngineName) => hasEngine(env.MEDIA_ENGINES, engine);

const versionOf = ({ version, hasFailed }: EngineState) => (hasFailed ? null : version);

/**
 * Which engines of this runner work: each is installed, and starts. An engine that fails to start while
 * jobs run is checked again at once, and all that do not work at intervals, so that an engine that is
 * installed later is used without a restart.
 */
export class EngineHealth {
  /** An engine is absent until its first check. */
  readonly #states = new Map<EngineName, EngineState>();
  readonly #checking = new Set<EngineName>();
  readonly #recheckMs: number;
  readonly #stopping = new AbortController();
  #stopListening = () => {};
  readonly #listeners: (() => void)[] = [];

  constructor(recheckMs: number) {
    this.#recheckMs = recheckMs;
  }

  /** Calls the listener when an engine has been checked for the first time, begins to work, or no longer works. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Whether jobs may use the engine. False until it has been checked. */
  works(engine: string): boolean {
    const state = isEngine(engine) ? this.#states.get(engine) : undefined;
    return state !== undefined && versionOf(state) !== null;
  }

  /** The version of each engine that has been checked; null if it is missing or does not start. */
  get versions(): Readonly<Record<string, string | null>> {
    return Object.fromEntries(
      [...this.#states].map(([engine, state]) => [engine, versionOf(state)]),
    );
  }

  /** Resolves when the version of each engine is known. Warm processes are not started. */
  async checkAll(): Promise<void> {
    this.#stopListening = onEngineFailure((engine) => void this.#onFailure(engine));
    const checks = engineNames.map((engine) => {
      if (isSelected(engine)) return this.#exclusively(engine, () => this.#checkVersion(engine));
      return this.#set(engine, { version: null, hasFailed: false });
    });
    await Promise.all(checks);
    const missing = this.#missing;
    if (missing.length > 0)
      log.warn({ missing }, "engines missing or not working, their operations return 503");
  }

  /** Starts the warm processes of the engines that work, one engine after the other. */
  async warmUp(): Promise<void> {
    for (const [name, start] of Object.entries(warmUps)) {
      if (this.#stopping.signal.aborted) return;
      if (!isEngine(name)) {
        await start().catch((err) => log.warn({ err, engine: name }, "engine failed to start"));
      } else if (this.works(name)) {
        await this.#exclusively(name, () => this.#checkStart(name));
      }
    }
  }

  /** Checks the engines that do not work at intervals, until stopped. */
  async watch(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await wait(this.#recheckMs, undefined, { signal, ref: false }).catch(() => {});
      for (const engine of signal.aborted ? [] : this.#missing) await this.#check(engine);
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#stopListening();
  }

  /** The selected engines that do not work. */
  get #missing(): EngineName[] {
    return engineNames.filter((engine) => isSelected(engine) && !this.works(engine));
  }

  /** No job gets the engine until a check has shown that it works. */
  async #onFailure(name: string): Promise<void> {
    // Checks report their failures too.
    if (!isEngine(name) || this.#checking.has(name) || this.#stopping.signal.aborted) return;
    const { version = null } = this.#states.get(name) ?? {};
    this.#set(name, { version, hasFailed: true });
    await this.#check(name);
  }

  #check(engine: EngineName): Promise<void> {
    return this.#exclusively(engine, async () => {
      await this.#checkVersion(engine);
      await this.#checkStart(engine);
    });
  }

  /** Does nothing while another check of the engine runs. */
  async #exclusively(engine: EngineName, check: () => Promise<void>): Promise<void> {
    if (this.#checking.has(engine)) return;
    this.#checking.add(engine);
    try {
      await check();
    } catch (err) {
      log.warn({ err, engine }, "engine could not be checked");
    } finally {
      this.#checking.delete(engine);
    }
  }

  async #checkVersion(engine: EngineName): Promise<void> {
    const { version, failure } = await readEngineVersion(engine);
    const { hasFailed = false } = this.#states.get(engine) ?? {};
    this.#set(engine, { version, hasFailed }, failure);
  }

  /** Starts its warm processes, if it has some and is installed. */
  async #checkStart(engine: EngineName): Promise<void> {
    const version = this.#states.get(engine)?.version ?? null;
    if (version === null) return;
    try {
      const starts: Readonly<Partial<Record<string, () => Promise<void>>>> = warmUps;
      await starts[engine]?.();
      this.#set(engine, { version, hasFailed: false });
    } catch (error) {
      // A job error: it may not be used at all, such as without a sandbox. Its jobs fail and say why.
      this.#set(engine, { version, hasFailed: !(error instanceof JobError) }, error);
    }
  }

  #set(engine: EngineName, state: EngineState, reason?: unknown): void {
    const before = this.#states.get(engine);
    this.#states.set(engine, state);
    const worked = before && versionOf(before) !== null;
    const version = versionOf(state);
    if (worked === (version !== null)) return;
    if (version === null && (worked || reason !== undefined)) {
      log.warn({ engine, reason }, "engine does not start, its jobs are left to other runners");
    }
    if (version !== null && worked === false) log.info({ engine, version }, "engine works now");
    if (this.#stopping.signal.aborted) return;
    for (const listener of this.#listeners) listener();
  }
}
