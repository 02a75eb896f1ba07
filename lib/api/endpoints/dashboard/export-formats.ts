import type { JobRow } from "#lib/db/schema/jobs.ts";
import { writeRow } from "#lib/formats/csv/csv.ts";
import { jobDurationMs } from "#lib/jobs/view/duration.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { serializeJobSummary } from "#lib/jobs/view/summary.ts";

type Pages = AsyncIterable<readonly JobRow[]>;

/** Jobs as the text of a file, a page at a time. */
export const exportFormats = {
  csv: { contentType: "text/csv; charset=utf-8", write: writeCsv },
  json: { contentType: "application/json; charset=utf-8", write: writeJson },
} as const;

/** A list of jobs as the API returns them. */
async function* writeJson(pages: Pages): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const rows of pages) {
    for (const row of rows) {
      yield `${separator}${JSON.stringify(serializeJob(row))}`;
      separator = ",\n";
    }
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

/** The columns of a CSV file. Times are RFC 3339, UTC. */
const columns: Readonly<Record<string, (row: JobRow) => string | number | null>> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  operation: ({ operation }) => operation,
  filename: ({ input }) => input.filename,
  input_url: ({ input }) => input.url,
  input_bytes: ({ input }) => input.bytes,
  outputs: ({ outputs }) => outputs.length,
  output_bytes: ({ outputs }) => outputs.reduce((sum, { bytes }) => sum + bytes, 0),
  error_code: ({ errorCode }) => errorCode,
  error: ({ error }) => error,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  started_at: ({ startedAt }) => startedAt?.toISOString() ?? null,
  completed_at: ({ completedAt }) => completedAt?.toISOString() ?? null,
  duration_ms: (row) =>
    row.completedAt === null
      ? null
      : jobDurationMs(serializeJobSummary({ ...row, warnings: row.warnings.length }), Date.now()),
  key: ({ apiKeyId }) => apiKeyId,
  metadata: ({ metadata }) => (Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null),
};

async function* writeCsv(pages: Pages): AsyncGenerator<string> {
  yield writeRow(Object.keys(columns));
  const readers = Object.values(columns);
  for await (const rows of pages) {
    yield rows.map((row) => writeRow(readers.map((read) => read(row)))).join("");
  }
}
