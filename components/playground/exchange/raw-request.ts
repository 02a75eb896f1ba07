import { formatBytes } from "#components/format.ts";
import type { RunRequest } from "../form/send-run.ts";
import type { Source } from "../form/source.ts";

/**
 * A request as the API gets it, as HTTP text: its files are described, its key is masked.
 *
 * @param baseUrl the service's URL, without a trailing slash
 */
export function writeRequest(request: RunRequest, baseUrl: string): string {
  const { operation, fields, sources } = request;
  const parts = [
    ...fields.map(([name, value]) => writePart(`name="${name}"`, value)),
    ...Object.entries(sources).flatMap(([part, files]) =>
      files.map((file) => writeSource(part, file)),
    ),
  ];
  return [
    `POST ${operation === "chain" ? "/v1/jobs" : `/v1/${operation}`} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    "X-API-Key: ***",
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    "",
    ...parts,
    `--${boundary}--`,
  ].join("\n");
}

/** The browser chooses the real one. */
const boundary = "boundary";

function writeSource(part: string, source: Source): string {
  if (source.kind === "url") {
    return writePart(`name="${part === "file" ? "input" : `${part}_url`}"`, source.url.trim());
  }
  const { name, type, size } = source.file;
  const escaped = name.replaceAll('"', "%22").replaceAll(/[\r\n]/g, " ");
  const header = `name="${part}"; filename="${escaped}"\nContent-Type: ${type || "application/octet-stream"}`;
  return writePart(header, `[${formatBytes(size)} of content]`);
}

function writePart(disposition: string, content: string): string {
  return `--${boundary}\nContent-Disposition: form-data; ${disposition}\n\n${content}`;
}
