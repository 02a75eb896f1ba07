import type { CDPSession } from "puppeteer";
import type { PageTarget } from "./page-target.ts";

/**
 * Runs JavaScript in an isolated world of the page, where changes that the page has made to built-in
 * objects have no effect.
 */
export class IsolatedWorld {
  readonly #session: CDPSession;
  readonly #contextId: number;

  private constructor(session: CDPSession, contextId: number) {
    this.#session = session;
    this.#contextId = contextId;
  }

  static async create({ session, frameId }: PageTarget): Promise<IsolatedWorld> {
    const world = await session.send("Page.createIsolatedWorld", { frameId });
    return new IsolatedWorld(session, world.executionContextId);
  }

  /** The JSON value of `expression`, which may be a promise; undefined if it throws. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = await this.#session.send("Runtime.evaluate", {
      contextId: this.#contextId,
      awaitPromise: true,
      returnByValue: true,
      expression,
    });
    return result.value;
  }
}
