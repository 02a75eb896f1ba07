import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { formatLogLine, type LogStyle, type RawLine } from "./format-log-line.ts";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** Writes the logs of all services, and the supervisor's own, to stdout. */
export class LogCollector {
  readonly #style: LogStyle = process.stdout.isTTY ? "readable" : "json";
  readonly #minimumLevel: number;

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
    process.stdout.write(`${formatLogLine(raw, this.#style)}\n`);
  }

  /** Writes each line of a service's output; `level` is for lines that are not log events. */
  attach(stream: Readable, service: string, level: "info" | "warn"): void {
    createInterface({ input: stream }).on("line", (line) => {
      if (line.trim() !== "") this.write({ level, service, line });
    });
  }
}
