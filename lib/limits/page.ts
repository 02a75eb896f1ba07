import type { LimitRow } from "./limits.ts";

const headings: Readonly<Record<LimitRow["kind"], string>> = {
  image: "Images",
  "video and sound": "Video and sound",
  PDF: "PDF",
  office: "Office documents",
  HTML: "HTML pages",
  result: "Results",
  time: "Time",
};

/** The table of caps as Markdown: docs/limits.md, which a test holds against the table. */
export function renderLimits(rows: readonly LimitRow[]): string {
  const sections = Object.entries(headings).flatMap(([kind, heading]) => [
    `\n## ${heading}\n`,
    "| what | at most | past it |",
    "|---|---|---|",
    ...rows.filter((row) => row.kind === kind).map(renderRow),
  ]);
  return `${[intro, ...sections].join("\n")}\n`;
}

const intro = `# Limits

What a file may be, and what may become of it, so that no job takes the machine from the others. A job past a limit fails at once, with the code that stands beside it and a sentence that names the limit.
The same on every plan, unless it says otherwise; the plans themselves (bytes a month, size of a file, requests a minute) are in the README.
Written from \`lib/limits/table.ts\`, which the engines read.`;

function renderRow({ what, most, code }: LimitRow): string {
  const said =
    typeof most === "string"
      ? most
      : Object.entries(most)
          .map(([plan, amount]) => `${plan} ${amount}`)
          .join(", ");
  return `| ${what} | ${said} | \`${code}\` |`;
}
