import { exitOnKnownError } from "#lib/supervisor/start/start-error.ts";
import { buildService } from "./commands/build-service.ts";

/**
 * Builds the web app, and the packages that it gives out, for the set-up, which reports the progress: each
 * line of output is a detail of it.
 */

await exitOnKnownError(() =>
  buildService(async (_, work) => work((line) => void process.stdout.write(`${line}\n`))),
);
