/** A call that takes longer than this is cancelled when the next one comes. */
const slowMs = 150;

/**
 * Makes the function that calls `work` with the latest argument. While a call runs, only the latest of further
 * arguments waits. A call that runs for longer is cancelled for it; a quick one may finish, because otherwise nothing
 * would be shown while a slider moves.
 */
export function createLatestCall<Argument>(
  work: (argument: Argument, signal: AbortSignal) => Promise<void>,
): { readonly call: (argument: Argument) => void; readonly stop: () => void } {
  let running: { readonly controller: AbortController; readonly startedAt: number } | undefined;
  let waiting: { readonly argument: Argument } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(argument: Argument): void {
    const own = { controller: new AbortController(), startedAt: Date.now() };
    running = own;
    void work(argument, own.controller.signal).finally(() => {
      if (running !== own) return;
      running = undefined;
      clearTimeout(timer);
      const next = waiting;
      waiting = undefined;
      if (next) start(next.argument);
    });
  }

  function cancelSlow(): void {
    const next = waiting;
    if (!next || !running) return;
    running.controller.abort();
    waiting = undefined;
    start(next.argument);
  }

  return {
    call(argument) {
      if (!running) return start(argument);
      waiting = { argument };
      clearTimeout(timer);
      timer = setTimeout(cancelSlow, Math.max(0, running.startedAt + slowMs - Date.now()));
    },
    stop() {
      clearTimeout(timer);
      waiting = undefined;
      running?.controller.abort();
      running = undefined;
    },
  };
}
