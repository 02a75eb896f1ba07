import { stripVTControlCharacters } from "node:util";
import { printable } from "./print.ts";

const barWidth = 24;
const redrawMs = 100;

interface Bar {
  readonly label: string;
  percent: number;
  phase: string;
}

/** A bar for each running file on a terminal, and nothing elsewhere. */
export class ProgressBars {
  readonly #bars = new Set<Bar>();
  readonly #total: number;
  readonly #stream = process.stderr;
  readonly #isShown: boolean;
  #done = 0;
  #lines = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(total: number, isWanted: boolean) {
    this.#total = total;
    this.#isShown = isWanted && this.#stream.isTTY === true && process.env.TERM !== "dumb";
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  start(label: string): Bar {
    const bar = { label, percent: 0, phase: "waiting" };
    this.#bars.add(bar);
    if (this.#isShown) this.#timer ??= setInterval(() => this.#draw(), redrawMs).unref();
    return bar;
  }

  end(bar: Bar): void {
    this.#bars.delete(bar);
    this.#done++;
    if (this.#bars.size === 0) this.clear();
  }

  /** Removes the bars, so that other lines can be written. They are drawn again by the timer. */
  clear(): void {
    if (this.#lines > 0) this.#stream.write(`\x1b[${this.#lines}A\x1b[0J`);
    this.#lines = 0;
    if (this.#bars.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #draw(): void {
    const { columns = 80, rows = 24 } = this.#stream;
    const shown = [...this.#bars].slice(0, Math.max(1, rows - 3));
    const lines = shown.map((bar) => this.#format(bar, columns));
    if (this.#total > 1) lines.push(`${this.#done} of ${this.#total} files`);
    const back = this.#lines > 0 ? `\x1b[${this.#lines}A\x1b[0J` : "";
    this.#stream.write(`${back}${lines.join("\n")}\n`);
    this.#lines = lines.length;
  }

  #format({ label, percent, phase }: Bar, columns: number): string {
    const filled = Math.round((percent / 100) * barWidth);
    const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
    const line = `${bar} ${String(Math.round(percent)).padStart(3)}% ${phase.padEnd(10)} ${printable(label)}`;
    return stripVTControlCharacters(line).slice(0, columns - 1);
  }
}
