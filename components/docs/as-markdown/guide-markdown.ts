import { planRows } from "#components/plans/plan-rows.ts";
import { requestErrorDescriptions } from "#lib/api/definition/errors.ts";
import { jobErrorCodes, type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { describeLimits } from "#lib/limits/limits.ts";
import { planNames, plans } from "#lib/plans.ts";
import type { Guide } from "../guides.ts";
import { jobErrors } from "../job-errors.ts";

/** The tables that a page shows in place of comments such as `<!-- plans -->`, as Markdown. */
const inserts: Readonly<Record<string, () => string>> = {
  plans: () =>
    markdownTable(
      ["Limit", ...planNames],
      planRows.map(({ label, show }) => [label, ...planNames.map((name) => show(plans[name]))]),
    ),
  "file-limits": () =>
    markdownTable(
      ["Files", "Limit", "Maximum", "error_code"],
      describeLimits().map(({ kind, description, max, code }) => {
        const byPlan = () => Object.entries(max).map(([plan, amount]) => `${plan} ${amount}`);
        return [kind, description, typeof max === "string" ? max : byPlan().join(", "), code];
      }),
    ),
  "request-errors": () =>
    markdownTable(
      ["Code", "Status", "Meaning"],
      Object.entries(requestErrorDescriptions).map(([code, text]) => [
        `\`${code}\``,
        // The table has exactly these keys.
        String(requestErrorStatus[code as RequestErrorCode]),
        text,
      ]),
    ),
  "job-errors": () =>
    markdownTable(
      ["Code", "Meaning", "What to do"],
      jobErrorCodes.map((code) => [`\`${code}\``, ...jobErrors[code]]),
    ),
};

/** A guide as one Markdown text, with the tables that its page has. */
export function guideMarkdown({ title, summary, text }: Guide): string {
  const body = text.replace(/<!-- ([a-z-]+) -->/g, (comment, name) => inserts[name]?.() ?? comment);
  return `# ${title}\n\n${summary}\n\n${body.replace(/<!--.*?-->\n?/g, "").trim()}`;
}

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");
}
