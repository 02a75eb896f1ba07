import pino from "pino";
import pretty from "pino-pretty";
import { env } from "#lib/env.ts";

/**
 * One line an event on stdout: readable on a terminal, JSON elsewhere. `part` says which process,
 * `request_id` which request, `job` which job: in every line that concerns one, so that it can be
 * followed through all processes. Never a key, a signed address or a file's content.
 */
const destination = process.stdout.isTTY
  ? pretty({ colorize: true, translateTime: "HH:MM:ss.l", ignore: "pid,hostname,part" })
  : pino.destination({ dest: 1, sync: true });

export const log = pino(
  {
    level: env.LOG_LEVEL,
    base: { part: env.MEDIAMILL_PART },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  },
  destination,
);

export type Log = pino.Logger;

/** Fields of the database driver's errors that hold statements and their values. */
const secretFields = new Set(["query", "params", "parameters", "args", "detail", "where"]);

const longestMessage = 400;

/**
 * An error and its causes for the log. Of a failed statement what is said of it is kept, and the
 * values in it are not: they may be hashes, addresses or tokens.
 */
export function describeError(error: Error): Record<string, unknown> {
  const { aggregateErrors: _, cause, ...fields } = pino.stdSerializers.errWithCause(error);
  const told = Object.entries(fields).filter(([name]) => !secretFields.has(name));
  return {
    ...Object.fromEntries(told),
    message: withoutValues(fields.message),
    stack: withoutValues(fields.stack),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
    ...(cause !== undefined && !(error.cause instanceof Error) ? { cause: String(cause) } : {}),
  };
}

/** Drizzle's message is the whole statement, then a line of its values; the stack repeats it. */
function withoutValues(text = ""): string {
  const [head = "", ...frames] = text.split(/\n(?= {4}at )/);
  const statement = head.replace(/\nparams:.*/s, "");
  const cut =
    statement.length > longestMessage ? `${statement.slice(0, longestMessage)} …` : statement;
  return [cut, ...frames].join("\n");
}
