"use client";

import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { useCallback } from "react";
import { DocsSearch } from "#components/docs/search/search.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { findJobTargets, findLastFailed } from "./search-jobs.ts";
import { dashboardTargets } from "./search-targets.ts";
import { readVerbs } from "./shortcuts/verbs.ts";

interface DashboardSearchProps
  extends Pick<Parameters<typeof DocsSearch>[0], "variant" | "shortcut"> {
  readonly isOperator: boolean;
}

/** Searches the actions of the present page, the dashboard's pages, jobs by id and file name, and the docs. */
export function DashboardSearch({ isOperator, ...props }: DashboardSearchProps) {
  const { setTheme } = useTheme();
  const router = useRouter();
  const readTargets = useCallback(() => {
    async function openLastFailed() {
      try {
        const path = await findLastFailed();
        if (path) router.push(path);
        else toast.success("No job has failed.");
      } catch {
        toast.error("The last failed job could not be read. Try again.");
      }
    }
    const targets = dashboardTargets(isOperator, { setTheme, openLastFailed });
    // The first one is selected: not "Sign out".
    return [...readVerbs("page"), ...targets, ...readVerbs("frame")];
  }, [isOperator, router, setTheme]);
  return <DocsSearch readTargets={readTargets} findLate={findJobTargets} {...props} />;
}
