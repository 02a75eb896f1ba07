import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { formatLine, type LogStyle } from "./log-lines.ts";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** Brings the log of every part, and the supervisor's own, to one stdout. */
export class Log {
  readonly #style: LogStyle = process.stdout.isTTY ? "readable" : "json";
  readonly #threshold: number;

  /** `level`: the value of `LOG_LEVEL`. */
  constructor(level: string) {
    this.#threshold = levels.indexOf(level);
    // Whoever read our output may be gone; that is no reason to stop serving.
    process.stdout.on("error", () => {});
  }

  /** Something the supervisor has to say. */
  event(level: "debug" | "info" | "warn" | "error", part: string, msg: string): void {
    this.line({ level, part, line: msg });
  }

  line(raw: { level: string; part: string; line: string }): void {
    if (!raw.line.startsWith("{") && levels.indexOf(raw.level) < this.#threshold) return;
    process.stdout.write(`${formatLine(raw, this.#style)}\n`);
  }

  /** Prints each line of a part's output; `level` for lines that are no events of their own. */
  attach(stream: Readable, part: string, level: "info" | "warn"): void {
    createInterface({ input: stream }).on("line", (line) => {
      if (line.trim() !== "") this.line({ level, part, line });
    });
  }
}
