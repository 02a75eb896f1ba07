import type { Incident, StatusReport } from "#lib/jobs/status/report.ts";
import { engineNames } from "./names.ts";

/**
 * The incidents as an Atom feed (RFC 4287), newest first. Its texts are the service's own, so nothing has to be
 * escaped.
 *
 * @param baseUrl the public URL of the service
 */
export function writeIncidentFeed({ incidents }: StatusReport, baseUrl: string, now: Date): string {
  const updated = incidents.map(({ last_failed_at }) => last_failed_at).toSorted();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${baseUrl}/status</id>
<title>Mediamill incidents</title>
<updated>${updated.at(-1) ?? now.toISOString()}</updated>
<author><name>Mediamill</name></author>
<link rel="alternate" type="text/html" href="${baseUrl}/status"/>
<link rel="self" type="application/atom+xml" href="${baseUrl}/status/feed.xml"/>
${incidents.map((incident) => writeEntry(incident, baseUrl)).join("")}</feed>
`;
}

function writeEntry(incident: Incident, baseUrl: string): string {
  const { engine, started_at, last_failed_at, is_ongoing, failed_checks, error_code } = incident;
  const checks = failed_checks === 1 ? "1 check" : `${failed_checks} checks`;
  const code = error_code === null ? "" : `, error ${error_code}`;
  return `<entry>
<id>${baseUrl}/status#${engine}-${started_at}</id>
<title>${engineNames[engine].name}: ${is_ongoing ? "failing" : "failed, and works again"}</title>
<published>${started_at}</published>
<updated>${last_failed_at}</updated>
<link href="${baseUrl}/status"/>
<content type="text">${checks} failed from ${started_at} to ${last_failed_at}${code}.</content>
</entry>
`;
}
