"use client";

import { BookmarkPlusIcon, Columns3Icon, DownloadIcon, XIcon } from "lucide-react";
import { useTransition } from "react";
import { cn } from "#components/class-names.ts";
import { describeFailure } from "#components/forms/describe-failure.ts";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { JobFilters } from "#lib/jobs/view/job-filters.ts";
import { filterQuery, isFiltered } from "./filters.ts";
import type { JobColumn } from "./job-columns.ts";

const loadColumns = () => import("./columns-dialog.tsx").then((module) => module.ColumnsDialog);
const loadSave = () => import("./save-view-dialog.tsx").then((module) => module.SaveViewDialog);

interface ListToolbarProps {
  readonly filters: JobFilters;
  readonly columns: readonly JobColumn[];
  readonly views: readonly { readonly name: string; readonly query: string }[];
  readonly saveView: (name: string, query: string) => Promise<string | undefined>;
  readonly deleteView: (name: string) => Promise<void>;
}

/** Saved views, and what can be done with the whole list. */
export function ListToolbar({ filters, columns, views, saveView, deleteView }: ListToolbarProps) {
  const columnsDialog = useLazyDialog(loadColumns);
  const saveDialog = useLazyDialog(loadSave);
  const [busy, startTransition] = useTransition();
  const query = filterQuery(filters).toString();
  const isSaved = views.some((view) => view.query === query);
  const remove = (name: string) =>
    startTransition(() => deleteView(name).catch((error) => toast.error(describeFailure(error))));
  const exportUrl = (format: string) =>
    `/dashboard/api/jobs/export?${new URLSearchParams([...new URLSearchParams(query), ["format", format]])}`;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      {views.length > 0 && (
        <ul aria-label="Saved views" aria-busy={busy} className="flex flex-wrap gap-2">
          {views.map((view) => (
            <li
              key={view.name}
              className={cn(
                "flex items-center rounded-md border text-sm",
                view.query === query && "border-brand bg-accent",
              )}
            >
              <PrefetchLink
                href={`/dashboard/jobs?${view.query}`}
                aria-current={view.query === query ? "true" : undefined}
                className="max-w-48 truncate py-1 pl-3 hover:underline"
              >
                {view.name}
              </PrefetchLink>
              <button
                type="button"
                onClick={() => remove(view.name)}
                className="px-2 py-1.5 text-muted-foreground hover:text-foreground"
              >
                <XIcon aria-hidden="true" className="size-3.5" />
                <span className="sr-only">Delete view {view.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isFiltered(filters) && !isSaved && (
        <Button {...saveDialog.triggerProps} variant="ghost" size="sm" data-verb="Save this view">
          <BookmarkPlusIcon aria-hidden="true" />
          Save view
        </Button>
      )}
      <div className="ml-auto flex flex-wrap gap-2">
        <Button
          {...columnsDialog.triggerProps}
          variant="ghost"
          size="sm"
          data-verb="Choose columns"
        >
          <Columns3Icon aria-hidden="true" />
          Columns
        </Button>
        {(["csv", "json"] as const).map((format) => (
          <Button key={format} asChild variant="ghost" size="sm">
            <a
              href={exportUrl(format)}
              download
              data-verb={`Export these jobs as ${format.toUpperCase()}`}
            >
              <DownloadIcon aria-hidden="true" />
              {format.toUpperCase()}
            </a>
          </Button>
        ))}
      </div>
      {columnsDialog.Dialog && (
        <columnsDialog.Dialog {...columnsDialog.dialogProps} columns={columns} />
      )}
      {saveDialog.Dialog && (
        <saveDialog.Dialog {...saveDialog.dialogProps} save={(name) => saveView(name, query)} />
      )}
    </div>
  );
}
