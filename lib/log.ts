import { createRequire } from "node:module";
import pino from "pino";
import type build from "pino-pretty";
import { env } from "#lib/env.ts";
import { traceField } from "./tracing/spans.ts";

/**
 * One line per event on stdout: readable text on a terminal, JSON elsewhere. `service` is the process.
 * Every line about a request has `request_id`, every line about a job has `job`, in all processes, and
 * `trace_id` if it is traced. A line never contains an API key, a signed URL or a file's content.
 */
const destination = process.stdout.isTTY ? writeText() : pino.destination({ dest: 1, sync: true });

export const log = pino(
  {
    level: env.LOG_LEVEL,
    base: { service: env.MEDIAMILL_SERVICE },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
    mixin: traceField,
  },
  destination,
);

export type Log = pino.Logger;

/** Loads its package here, because most processes have no terminal, and each would need 50 ms for it. */
function writeText(): pino.DestinationStream {
  const pretty = createRequire(import.meta.url)("pino-pretty") as typeof build;
  return pretty({ colorize: true, translateTime: "HH:MM:ss.l", ignore: "pid,hostname,service" });
}

/** Fields of the database driver's errors that hold statements and their values. */
const secretFields = new Set(["query", "params", "parameters", "args", "detail", "where"]);

const maxMessageLength = 400;

/**
 * An error and its causes for the log. The values of a failed SQL statement are removed: they may be
 * hashes, URLs or tokens.
 */
export function serializeError(error: Error): Record<string, unknown> {
  const { aggregateErrors: _, cause, ...fields } = pino.stdSerializers.errWithCause(error);
  const publicFields = Object.entries(fields).filter(([name]) => !secretFields.has(name));
  return {
    ...Object.fromEntries(publicFields),
    message: removeValues(fields.message),
    stack: removeValues(fields.stack),
    ...(error.cause instanceof Error ? { cause: serializeError(error.cause) } : {}),
    ...(cause !== undefined && !(error.cause instanceof Error) ? { cause: String(cause) } : {}),
  };
}

/** Drizzle's message is the statement, then a line with its values. The stack repeats it. */
function removeValues(text = ""): string {
  const [head = "", ...frames] = text.split(/\n(?= {4}at )/);
  const statement = head.replace(/\nparams:.*/s, "");
  const cut =
    statement.length > maxMessageLength ? `${statement.slice(0, maxMessageLength)} …` : statement;
  return [cut, ...frames].join("\n");
}
