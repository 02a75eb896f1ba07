import pino from "pino";
import pretty from "pino-pretty";
import { env } from "#lib/env.ts";

/**
 * One line an event on stdout: readable on a terminal, JSON elsewhere. Fields are `request_id`,
 * `job_id`, `part`; never a key, a signed address or a file's content.
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
    serializers: { err: pino.stdSerializers.errWithCause },
  },
  destination,
);

export type Log = pino.Logger;
