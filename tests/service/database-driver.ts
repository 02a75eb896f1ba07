import { startDatabase } from "#lib/supervisor/postgres/server.ts";

/** Starts the embedded database of the folder in argv, tells its facts, and runs until it is ended. */
const database = await startDatabase(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify({ url: database.url, pid: database.pid })}\n`);
process.once("SIGTERM", async () => {
  await database.stop();
  process.exit(0);
});
setInterval(() => {}, 1000);
