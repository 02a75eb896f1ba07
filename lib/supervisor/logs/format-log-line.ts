import { styleText } from "node:util";

/** A log event, as pino prints it. */
interface LogEvent {
  readonly level: string;
  readonly time: string;
  readonly service: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A line of a service's output; `level` applies if the line is not a log event. */
export interface RawLine {
  readonly line: string;
  readonly service: string;
  readonly level: string;
}

export type LogStyle = "json" | "readable";

const serviceColors = {
  supervisor: "whiteBright",
  postgres: "blue",
  web: "green",
  media: "magenta",
  webhooks: "cyan",
} as const;

const serviceWidth = Math.max(...Object.keys(serviceColors).map((name) => name.length));

const levelColors = { warn: "yellow", error: "red", fatal: "red" } as const;

/** Fields shown elsewhere in the line, or equal in every line of a service. */
const hiddenFields = new Set(["level", "time", "service", "msg", "pid", "hostname"]);

/** The line as the supervisor prints it. Other text than JSON events becomes an event. */
export function formatLogLine(raw: RawLine, style: LogStyle, now = new Date()): string {
  const event = parseEvent(raw.line);
  if (style === "json") return event ? raw.line : JSON.stringify(toEvent(raw, now));
  return formatReadable(event ?? toEvent(raw, now));
}

function toEvent({ level, service, line }: RawLine, now: Date): LogEvent {
  return { level, time: now.toISOString(), service, msg: line };
}

function parseEvent(line: string): LogEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: Partial<LogEvent> = JSON.parse(line);
    const { level, time, service = "", msg = "" } = value;
    if (typeof level !== "string" || typeof time !== "string") return undefined;
    return { ...value, level, time, service: String(service), msg: String(msg) };
  } catch {
    return undefined;
  }
}

function formatReadable(event: LogEvent): string {
  const time = styleText("dim", new Date(event.time).toTimeString().slice(0, 8));
  const serviceColor = findColor(serviceColors, event.service) ?? "white";
  const service = styleText(serviceColor, event.service.padEnd(serviceWidth));
  const levelColor = findColor(levelColors, event.level);
  const text = event.level === "info" ? event.msg : `${event.level}: ${event.msg}`;
  const fields = Object.entries(event).filter(([name]) => !hiddenFields.has(name));
  const rest = fields.map(([name, value]) => styleText("dim", `${name}=${formatValue(value)}`));
  return [time, service, levelColor ? styleText(levelColor, text) : text, ...rest].join(" ");
}

function findColor<Color extends string>(table: Record<string, Color>, name: string) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** An error is shown as its stack, with line breaks. */
function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null && "stack" in value) return `\n${value.stack}`;
  return JSON.stringify(value);
}
