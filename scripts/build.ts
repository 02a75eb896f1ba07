import { buildService } from "./commands/build-service.ts";

/**
 * Builds the web app, and the packages that it gives out, for the set-up, which reports the progress: each
 * line of output is a detail of it.
 */

await buildService(async (_, work) => work((line) => void process.stdout.write(`${line}\n`)));
