import { startPart } from "#lib/supervisor/service-process.ts";

/** A part that serves nothing: it tells when it is asked to stop and which database it was given. */
const tell = (msg: string) => {
  const event = { level: "info", time: new Date().toISOString(), part: process.env.MEDIAMILL_PART };
  process.stdout.write(`${JSON.stringify({ ...event, msg })}\n`);
};
const part = startPart({ onStop: async () => tell("stops") });
setInterval(() => {}, 1000);
tell(`uses ${process.env.DATABASE_URL}`);
part.ready();
