import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { formatLogLine, type LogStyle, type RawLine } from "./format-log-line.ts";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** Whether a line has this level or a higher one: that of the log event, or that of other text. */
export function isAtLeast(level: "warn" | "error", { line, level: given }: RawLine): boolean {
  const [, own = given] = /^\{"level":"([a-z]+)"/.exec(line) ?? [];
  return levels.indexOf(own) >= levels.indexOf(level);
}

/** Writes the logs of all services, and the supervisor's own, to stdout. */
export class LogCollector {
  readonly #style: LogStyle = process.stdout.isTTY ? "readable" : "json";
  readonly #minimumLevel: number;
  /** The lines of the start, until it is known how it ends; undefined if lines are written at once. */
  #held: RawLine[] | undefined;
  #holdTimer: NodeJS.Timeout | undefined;

  /** The constructor takes the value of `LOG_LEVEL`. */
  constructor(level: string) {
    this.#minimumLevel = levels.indexOf(level);
    // The reader of our output may end. The service continues without it.
    process.stdout.on("error", () => {});
  }

  /** Logs an event of the supervisor. */
  event(level: "debug" | "info" | "warn" | "error", message: string): void {
    this.write({ level, service: "supervisor", line: message });
  }

  /** Writes one line of a service's output. Services apply `LOG_LEVEL` to their own events. */
  write(raw: RawLine): void {
    if (!raw.line.startsWith("{") && levels.indexOf(raw.level) < this.#minimumLevel) return;
    // Who waits for a start that fails wants to know why.
    if (isAtLeast("error", raw)) this.release();
    if (this.#held) this.#held.push(raw);
    else process.stdout.write(`${formatLogLine(raw, this.#style)}\n`);
  }

  /** Holds the lines back until `release` or an error, or for `maxMs`: a start that takes longer should be seen. */
  hold(maxMs = 20_000): void {
    this.#held = [];
    this.#holdTimer = setTimeout(() => this.release(), maxMs);
    this.#holdTimer.unref();
    process.once("exit", () => this.release());
  }

  /**
   * Writes the lines that were held back, and all later ones at once.
   *
   * @param isWanted which of them are written; by default all
   */
  release(isWanted: (raw: RawLine) => boolean = () => true): void {
    clearTimeout(this.#holdTimer);
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const raw of held) if (isWanted(raw)) this.write(raw);
  }

  /** Writes each line of a service's output; `level` is for lines that are not log events. */
  attach(stream: Readable, service: string, level: "info" | "warn"): void {
    createInterface({ input: stream }).on("line", (line) => {
      if (line.trim() !== "") this.write({ level, service, line });
    });
  }
}
