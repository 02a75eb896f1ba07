"use client";

import { DocsSearch } from "#components/docs/search.tsx";
import { dashboardPages } from "./pages.ts";

const pages = dashboardPages.map(({ href, label, about }) => ({
  href,
  title: label,
  section: "Dashboard",
  text: about,
}));

type DashboardSearchProps = Pick<Parameters<typeof DocsSearch>[0], "variant" | "shortcut">;

/** Searches the dashboard's pages, jobs by ID, and the docs. */
export function DashboardSearch(props: DashboardSearchProps) {
  return <DocsSearch pages={pages} {...props} />;
}
