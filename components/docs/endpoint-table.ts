import { endpoints } from "#lib/api/endpoints/index.ts";

/** A Markdown table of the API's endpoints whose path starts with `prefix`. */
export function endpointTable(prefix: string): string {
  const shown = endpoints.filter(({ path, internal }) => path.startsWith(prefix) && !internal);
  const rows = shown.map(
    ({ method, path, summary, description = "" }) =>
      `| \`${method} ${path}\` | ${`${summary} ${description}`.trim()} |`,
  );
  return ["| Request | What it does |", "|---|---|", ...rows].join("\n");
}
