import { writeIncidentFeed } from "#components/status/feed.ts";
import { env } from "#lib/env.ts";
import { readCachedStatus } from "#lib/jobs/status/report.ts";
import { log } from "#lib/log.ts";

export const dynamic = "force-dynamic";

/** The incidents of the status page for feed readers. */
export async function GET(): Promise<Response> {
  const headers = { "X-Content-Type-Options": "nosniff" };
  try {
    const feed = writeIncidentFeed(await readCachedStatus(), env.APP_URL, new Date());
    return new Response(feed, {
      headers: {
        ...headers,
        "Content-Type": "application/atom+xml; charset=utf-8",
        "Cache-Control": "public, max-age=60",
      },
    });
  } catch (err) {
    log.warn({ err }, "feed of incidents was not written");
    return new Response("The status is unavailable. Try again in a minute.", {
      status: 503,
      headers: { ...headers, "Content-Type": "text/plain; charset=utf-8", "Retry-After": "60" },
    });
  }
}
