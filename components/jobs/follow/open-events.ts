/** With these, a later request gets no events either: the session has ended, or the job is deleted. */
const finalStatuses: ReadonlySet<number | undefined> = new Set([401, 403, 404, 410]);

const firstWaitMs = 5000;
const longestWaitMs = 60_000;

/**
 * Calls `onData` with the data of each event of this name, until the returned function is called. After an error
 * response it connects again, each time later, unless the status says that there will be no events: then it calls
 * `onEnd`.
 */
export function openEvents(
  url: string,
  name: string,
  onData: (data: string) => void,
  onEnd = () => {},
): () => void {
  const closing = new AbortController();
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = firstWaitMs;

  function open(): void {
    const opened = new EventSource(url);
    source = opened;
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
      waitMs = firstWaitMs;
      onData(data);
    });
    opened.addEventListener("error", () => {
      // The browser reconnects by itself, except after an error response, such as that of a proxy.
      if (opened.readyState === EventSource.CLOSED) void reopen();
    });
  }

  async function reopen(): Promise<void> {
    const status = await requestStatus(url, closing.signal);
    if (closing.signal.aborted) return;
    if (finalStatuses.has(status)) return onEnd();
    timer = setTimeout(open, waitMs);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }

  open();
  return () => {
    closing.abort();
    clearTimeout(timer);
    source?.close();
  };
}

/** The status of a response, which `EventSource` does not have; undefined without a response. */
async function requestStatus(url: string, signal: AbortSignal): Promise<number | undefined> {
  const ending = new AbortController();
  const status = await fetch(url, {
    cache: "no-store",
    signal: AbortSignal.any([signal, ending.signal]),
  }).then(
    (response) => response.status,
    () => undefined,
  );
  // It may be a stream of events again.
  ending.abort();
  return status;
}
