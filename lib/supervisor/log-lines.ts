import { styleText } from "node:util";

/** One event of the log, as pino prints it. */
interface LogEvent {
  readonly level: string;
  readonly time: string;
  readonly part: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A line of a part's output, and what to take it for if it is not an event of the log. */
export interface RawLine {
  readonly line: string;
  readonly part: string;
  readonly level: string;
}

export type LogStyle = "json" | "readable";

const partColours = {
  start: "whiteBright",
  postgres: "blue",
  web: "green",
  media: "magenta",
  webhooks: "cyan",
} as const;

const levelColours = { warn: "yellow", error: "red", fatal: "red" } as const;

/** Shown elsewhere in the line, or the same in every line of a part. */
const hidden = new Set(["level", "time", "part", "msg", "pid", "hostname"]);

/** The line as the supervisor prints it: JSON events pass unchanged, everything else becomes one. */
export function formatLine(raw: RawLine, style: LogStyle, now = new Date()): string {
  const event = parseEvent(raw.line);
  if (style === "json") return event ? raw.line : JSON.stringify(toEvent(raw, now));
  return formatReadable(event ?? toEvent(raw, now));
}

function toEvent({ level, part, line }: RawLine, now: Date): LogEvent {
  return { level, time: now.toISOString(), part, msg: line };
}

function parseEvent(line: string): LogEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: Partial<LogEvent> = JSON.parse(line);
    const { level, time, part, msg = "" } = value;
    if (typeof level !== "string" || typeof time !== "string") return undefined;
    return { ...value, level, time, part: String(part ?? ""), msg: String(msg) };
  } catch {
    return undefined;
  }
}

function formatReadable(event: LogEvent): string {
  const time = styleText("dim", new Date(event.time).toTimeString().slice(0, 8));
  const part = styleText(colourOf(partColours, event.part) ?? "white", event.part.padEnd(8));
  const colour = colourOf(levelColours, event.level);
  const text = event.level === "info" ? event.msg : `${event.level}: ${event.msg}`;
  const fields = Object.entries(event).filter(([name]) => !hidden.has(name));
  const rest = fields.map(([name, value]) => styleText("dim", `${name}=${show(value)}`));
  return [time, part, colour ? styleText(colour, text) : text, ...rest].join(" ");
}

function colourOf<Colour extends string>(table: Record<string, Colour>, name: string) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** An error shows its stack as it was meant to be read. */
function show(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null && "stack" in value) return `\n${value.stack}`;
  return JSON.stringify(value);
}
