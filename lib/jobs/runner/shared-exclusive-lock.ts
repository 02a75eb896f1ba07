/**
 * Room in one process for many jobs at once, or for one that must be alone. Whoever waits to be alone
 * holds back those who come later, so that the room empties.
 */
export class Room {
  #inside = 0;
  #isTaken = false;
  #last: Promise<unknown> = Promise.resolve();
  #onLeave = () => {};

  /** Resolves when there is room; with a function that gives it back. */
  async enter(alone: boolean): Promise<() => void> {
    const turn = this.#last.then(() =>
      this.#waitWhile(() => this.#isTaken || (alone && this.#inside > 0)),
    );
    this.#last = turn;
    await turn;
    this.#inside++;
    this.#isTaken = alone;
    return () => {
      this.#inside--;
      this.#isTaken = false;
      this.#onLeave();
    };
  }

  async #waitWhile(isFull: () => boolean): Promise<void> {
    while (isFull()) {
      await new Promise<void>((resolve) => {
        this.#onLeave = resolve;
      });
    }
  }
}
