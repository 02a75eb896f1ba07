/** Shared by many holders at once, or exclusive to one. */
export type LockMode = "shared" | "exclusive";

/**
 * A shared/exclusive lock within one process. Requests are served in order: an exclusive request that
 * waits also holds back the later ones.
 */
export class SharedExclusiveLock {
  #holders = 0;
  #isExclusive = false;
  #last: Promise<unknown> = Promise.resolve();
  #onRelease = () => {};

  /** Resolves when the lock is held, with the function that releases it. */
  async acquire(mode: LockMode): Promise<() => void> {
    const exclusive = mode === "exclusive";
    const turn = this.#last.then(() =>
      this.#waitWhile(() => this.#isExclusive || (exclusive && this.#holders > 0)),
    );
    this.#last = turn;
    await turn;
    this.#holders++;
    this.#isExclusive = exclusive;
    return () => {
      this.#holders--;
      this.#isExclusive = false;
      this.#onRelease();
    };
  }

  async #waitWhile(isBlocked: () => boolean): Promise<void> {
    while (isBlocked()) {
      await new Promise<void>((resolve) => {
        this.#onRelease = resolve;
      });
    }
  }
}
