import type { ExitCode } from "./exit-codes.ts";
import type { Settings } from "./settings/settings.ts";

/** One call of the program. */
export interface Session {
  /** Reads the settings once. */
  settings(): Promise<Settings>;
  exitCode: ExitCode;
}
