"use client";

import { DocsSearch } from "#components/docs/search/search.tsx";
import { dashboardPages, operatorPage } from "./pages.ts";
import { readVerbs } from "./shortcuts/verbs.ts";

/** Pages, and lists that are often needed. */
const pages = [
  ...dashboardPages.map(({ href, label, about }) => ({
    href,
    title: label,
    section: "Dashboard",
    text: about,
  })),
  ...[
    ["Show failed jobs", "/dashboard/jobs?status=failed", "Jobs that ended with an error."],
    ["Show running jobs", "/dashboard/jobs?status=processing", "Jobs that a runner works on."],
    ["Show rejected requests", "/dashboard/requests?status=4xx", "API requests with an error."],
    ["Run an operation", "/dashboard/playground", "On your own file or on a sample."],
    ["Create an API key", "/dashboard/keys", "For development or production."],
  ].map(([title = "", href = "", text = ""]) => ({ title, href, section: "Action", text })),
];

/** The pages of operators. */
const operatorPages = [
  ["Accounts", operatorPage.href, "Plans, roles, suspended accounts."],
  ["Queue", "/dashboard/operator/queue", "Jobs that wait and run, and the oldest of them."],
  ["Runners", "/dashboard/operator/runners", "Engines with their versions, and the sandbox."],
  ["Operations", "/dashboard/operator/operations", "Slow and failing operations."],
  ["Storage and settings", "/dashboard/operator/storage", "Bytes, retention, what is in force."],
  ["Record of acts", "/dashboard/operator/acts", "What operators have changed, and when."],
].map(([title = "", href = "", text = ""]) => ({ title, href, section: "Operator", text }));

const pagesOfOperator = [...pages, ...operatorPages];

interface DashboardSearchProps
  extends Pick<Parameters<typeof DocsSearch>[0], "variant" | "shortcut"> {
  readonly isOperator: boolean;
}

/** Searches the actions of the present page, the dashboard's pages, jobs by ID, and the docs. */
export function DashboardSearch({ isOperator, ...props }: DashboardSearchProps) {
  const found = isOperator ? pagesOfOperator : pages;
  return <DocsSearch pages={found} readVerbs={readVerbs} {...props} />;
}
