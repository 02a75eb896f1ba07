/** A warm engine process with its slot folder. */
export interface WarmProcess {
  readonly healthy: boolean;
  /** Of the process since its start, with its descendants; undefined if it was not measured. */
  readonly peakMemoryBytes?: number | undefined;
  /** Prepares it for the next job, for example empties its slot folder. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
