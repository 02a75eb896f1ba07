/** Sessions of one stage that wait for something: for new jobs, or for the session that follows. */
export class WaitingSessions {
  readonly #wakes = new Set<() => void>();

  /** Resolves with true when the session is woken, and with false after `ms`. */
  async wait(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wake = () => resolve(true);
    this.#wakes.add(wake);
    const timer = setTimeout(() => resolve(false), ms);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#wakes.delete(wake);
    }
  }

  /** Wakes the session that has waited for longest. False if none waits. */
  wakeOne(): boolean {
    const [wake] = this.#wakes;
    if (!wake) return false;
    this.#wakes.delete(wake);
    wake();
    return true;
  }

  wakeAll(): void {
    while (this.wakeOne());
  }
}
