import { runAsService } from "#lib/supervisor/services/service-process.ts";

/** A placeholder service: logs the URL of its database, and when it is stopped. */
const logEvent = (msg: string) => {
  const event = {
    level: "info",
    time: new Date().toISOString(),
    service: process.env.MEDIAMILL_SERVICE,
  };
  process.stdout.write(`${JSON.stringify({ ...event, msg })}\n`);
};
const service = runAsService({ onStop: async () => logEvent("stopping") });
setInterval(() => {}, 1000);
logEvent(`uses ${process.env.DATABASE_URL}`);
service.ready();
