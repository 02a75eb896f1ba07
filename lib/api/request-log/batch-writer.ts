interface BatchWriterOptions<Row> {
  /** Writes rows. If it throws, they are written again with the next batch, unless `isLost`. */
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /** Whether rows that could not be written for this reason never can be. */
  readonly isLost: (error: unknown) => boolean;
  /** The function that is called with the number of rows that are not written, and why. */
  readonly onDropped: (rows: number, error: unknown) => void;
  /** The number of rows that are written at once. */
  readonly batchRows: number;
  /** More rows are not kept in memory while they cannot be written. */
  readonly maxRows: number;
  /** The longest time that a row waits, in milliseconds. */
  readonly intervalMs: number;
}

export interface BatchWriter<Row> {
  /** Adds a row; it never waits and never throws. */
  readonly add: (row: Row) => void;
  /** Writes all rows that wait. Never throws. */
  readonly flush: () => Promise<void>;
}

/**
 * Keeps rows in memory and writes them in the background: as soon as there are `batchRows`, or `intervalMs` after
 * the first one. One batch is written at a time.
 */
export function createBatchWriter<Row>(options: BatchWriterOptions<Row>): BatchWriter<Row> {
  const { write, isLost, onDropped, batchRows, maxRows, intervalMs } = options;
  const waiting: Row[] = [];
  let dropped = 0;
  /** Whether the last write failed: the next one waits for the timer. */
  let failed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let draining: Promise<void> | undefined;

  function add(row: Row): void {
    if (waiting.length >= maxRows) {
      dropped++;
      return;
    }
    waiting.push(row);
    if (waiting.length >= batchRows && !failed) void flush();
    else schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), intervalMs).unref();
  }

  function flush(): Promise<void> {
    draining ??= drain().finally(() => {
      draining = undefined;
    });
    return draining;
  }

  async function drain(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (dropped > 0) onDropped(dropped, undefined);
    dropped = 0;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchRows);
      try {
        await write(batch);
        failed = false;
      } catch (error) {
        failed = !isLost(error);
        if (failed) {
          waiting.unshift(...batch);
          schedule();
          return;
        }
        onDropped(batch.length, error);
      }
    }
  }

  return { add, flush };
}
