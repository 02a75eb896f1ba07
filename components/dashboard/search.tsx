"use client";

import { DocsSearch } from "#components/docs/search.tsx";
import { dashboardPages } from "./pages.ts";
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

type DashboardSearchProps = Pick<Parameters<typeof DocsSearch>[0], "variant" | "shortcut">;

/** Searches the actions of the present page, the dashboard's pages, jobs by ID, and the docs. */
export function DashboardSearch(props: DashboardSearchProps) {
  return <DocsSearch pages={pages} readVerbs={readVerbs} {...props} />;
}
