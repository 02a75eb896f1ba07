/** What the command's exit code says. The guide and the README list the same codes. */
export const exitCodes = {
  ok: 0,
  /** Several files failed for different reasons, or the program itself failed. */
  failed: 1,
  /** The command line is wrong, or a local file cannot be read or written. */
  usage: 2,
  /** There is no valid API key. */
  access: 3,
  /** The service refused the request. */
  rejected: 4,
  /** A job failed or was cancelled. */
  job: 5,
  /** The service could not be reached, or failed. */
  unavailable: 6,
  /** There were too many requests, or the plan's usage limit is reached. */
  limit: 7,
  /** The time of `--timeout` has passed. */
  timeout: 8,
  /** The user pressed Ctrl-C. */
  interrupted: 130,
  /** The process received SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
