import { readMediaReports } from "#lib/db/queries/jobs/media-reports.ts";
import { findMissingEngines } from "#lib/jobs/missing-engines.ts";

/** The newest release of Gotenberg whose API this is. */
export const gotenbergVersion = "8.36.0";

export const rootPage = `Hey, Gotenberg has no UI, it's an API. Head to the <a href="https://gotenberg.dev">documentation</a> to learn how to interact with it 🚀`;

/** An operation that needs each engine of Gotenberg. */
const engines = { chromium: "document/html-to-pdf", libreoffice: "document/doc-to-pdf" } as const;

/** The response to a health check: whether a runner has the engines. */
export async function healthResponse(): Promise<Response> {
  const timestamp = new Date().toISOString();
  let isUp = true;
  const details: Record<string, unknown> = {};
  const reports = await readMediaReports().catch(() => undefined);
  for (const [name, operation] of Object.entries(engines)) {
    const isReady = reports !== undefined && !findMissingEngines([operation], reports);
    isUp &&= isReady;
    details[name] = { status: isReady ? "up" : "down", timestamp };
  }
  const body = JSON.stringify({ status: isUp ? "up" : "down", details });
  return new Response(body, {
    status: isUp ? 200 : 503,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-cache" },
  });
}

/** What Gotenberg shows of itself; the modules are the names of the groups of its routes here. */
export function debugResponse(flags: Readonly<Record<string, string>> | undefined): Response {
  const shown = {
    version: gotenbergVersion,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    architecture: process.arch,
    modules: ["api", "chromium", "libreoffice", "pdfengines", "prometheus", "webhook"],
    modules_additional_data: {},
    flags,
  };
  const hidden = {
    version: "",
    timezone: "",
    architecture: "",
    modules: null,
    modules_additional_data: null,
    flags: null,
  };
  return new Response(JSON.stringify(flags ? shown : hidden), {
    headers: { "Content-Type": "application/json" },
  });
}

const gauges = [
  [
    "chromium_requests_queue_size",
    "Current number of Chromium conversion requests waiting to be treated.",
  ],
  ["chromium_restarts_count", "Current number of Chromium restarts."],
  [
    "libreoffice_requests_queue_size",
    "Current number of LibreOffice conversion requests waiting to be treated.",
  ],
  ["libreoffice_restarts_count", "Current number of LibreOffice restarts."],
] as const;

/** Requests that are waiting for a job, by the engine of their route. */
export const waiting = { chromium: 0, libreoffice: 0, pdfengines: 0 };

/** Gotenberg's metrics. Restarts of engines are no failures here, and are counted by `/metrics` only. */
export function metricsResponse(namespace: string): Response {
  const values: Readonly<Record<string, number>> = {
    chromium_requests_queue_size: waiting.chromium,
    libreoffice_requests_queue_size: waiting.libreoffice,
  };
  const lines = gauges.flatMap(([name, help]) => [
    `# HELP ${namespace}_${name} ${help}`,
    `# TYPE ${namespace}_${name} gauge`,
    `${namespace}_${name} ${values[name] ?? 0}`,
  ]);
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8; escaping=underscores" },
  });
}
