import type { LimitRow } from "./limits.ts";

const headings: Readonly<Record<LimitRow["kind"], string>> = {
  image: "Images",
  "video and audio": "Video and audio",
  PDF: "PDF",
  office: "Office documents",
  HTML: "HTML pages",
  result: "Results",
  time: "Time",
};

/** The limits as Markdown. A test compares docs/limits.md with it. */
export function renderLimitsPage(rows: readonly LimitRow[]): string {
  const sections = Object.entries(headings).flatMap(([kind, heading]) => [
    `\n## ${heading}\n`,
    "| limit | maximum | error |",
    "|---|---|---|",
    ...rows.filter((row) => row.kind === kind).map(renderRow),
  ]);
  return `${[intro, ...sections].join("\n")}\n`;
}

const intro = `# Limits

These limits apply to input files and to results. They prevent one job from using the resources of all others. A job that exceeds a limit fails at once. Its \`error_code\` is listed below, and its message names the limit.

The limits are the same on every plan, unless the table lists plans. [Plans and limits](guide/limits.md) has what depends on the plan: data per month, size of a file, requests per minute and jobs at a time.

This page is generated from \`lib/limits/table.ts\`, which the engines use.`;

function renderRow({ description, max, code }: LimitRow): string {
  const formatted =
    typeof max === "string"
      ? max
      : Object.entries(max)
          .map(([plan, amount]) => `${plan} ${amount}`)
          .join(", ");
  return `| ${description} | ${formatted} | \`${code}\` |`;
}
