import { startDatabase } from "#lib/supervisor/postgres/server.ts";

/** Starts the embedded database of the folder in argv, prints its URL and process id, runs until SIGTERM. */
const database = await startDatabase(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify({ url: database.url, pid: database.pid })}\n`);
process.once("SIGTERM", async () => {
  await database.stop();
  process.exit(0);
});
setInterval(() => {}, 1000);
