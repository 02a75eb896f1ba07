import { readCachedStatus } from "#lib/jobs/status/report.ts";
import { log } from "#lib/log.ts";

/** The status page as JSON. */
export const dynamic = "force-dynamic";

const headers = { "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*" };

export async function GET(): Promise<Response> {
  try {
    const report = await readCachedStatus();
    return Response.json(report, {
      headers: { ...headers, "Cache-Control": "public, max-age=15" },
    });
  } catch (err) {
    log.warn({ err }, "status was not read");
    const error = { code: "unavailable", message: "The database does not respond. Try again." };
    const retry = { "Retry-After": "5", "Cache-Control": "no-store" };
    return Response.json({ error }, { status: 503, headers: { ...headers, ...retry } });
  }
}
