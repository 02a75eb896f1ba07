import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Equal requests of several clients, each of which sends its next request when the last one is answered. */
export interface LoadPlan {
  readonly url: string;
  /** The method; by default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body in Base64. */
  readonly body?: string;
  readonly clients: number;
  /** How many requests all clients send together. */
  readonly requests?: number;
  /** How long requests are sent. Together with `requests`: until the first of both. */
  readonly seconds?: number;
  /** The expected status. */
  readonly status: number;
  /** What the response must contain. */
  readonly contains?: string;
}

export interface LoadResult {
  readonly seconds: number;
  /** The latencies in the order of the responses. */
  readonly latenciesMs: readonly number[];
  /** Status and start of the body of each response with another status or content. */
  readonly unexpected: readonly string[];
  /** The CPU time of the generator. */
  readonly cpuMs: number;
}

/** A load generator in a process of its own. */
export class LoadGenerator {
  readonly #driver: ChildProcess;

  private constructor(driver: ChildProcess) {
    this.#driver = driver;
  }

  static async start(): Promise<LoadGenerator> {
    const driver = fork(join(import.meta.dirname, "load-driver.ts"), { execArgv: [] });
    await once(driver, "message");
    return new LoadGenerator(driver);
  }

  /** Sends the requests of a plan. Throws if a response is not as expected. */
  async send(plan: LoadPlan): Promise<LoadResult> {
    if (plan.requests === undefined && plan.seconds === undefined) throw new Error("endless load");
    this.#driver.send(plan);
    const [result] = (await once(this.#driver, "message")) as [LoadResult | { failed: string }];
    if ("failed" in result) throw new Error(`${plan.url}: ${result.failed}`);
    const [first] = result.unexpected;
    if (first !== undefined)
      throw new Error(`${plan.url}: ${result.unexpected.length} unexpected responses: ${first}`);
    return result;
  }

  async stop(): Promise<void> {
    this.#driver.send("stop");
    await once(this.#driver, "exit");
  }
}
