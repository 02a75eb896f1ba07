/** A warm engine process with its slot folder. */
export interface WarmProcess {
  readonly healthy: boolean;
  /** The most memory that the process and its descendants have had since its start; undefined if it was not measured. */
  readonly peakMemoryBytes?: number | undefined;
  /** Prepares it for the next job, for example empties its slot folder. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
