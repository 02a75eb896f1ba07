import { buildIfChanged } from "#lib/supervisor/start/build.ts";

/** Builds the web app for the set-up, which reports the progress: each line of output is a detail of it. */

await buildIfChanged(async (_, work) => work((line) => void process.stdout.write(`${line}\n`)));
