"use client";

import { SearchIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useTransition } from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import { Button } from "#components/ui/button.tsx";
import { DateInput } from "#components/ui/inputs/date-input.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Label } from "#components/ui/inputs/label.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import { jobStatuses } from "#lib/db/schema/job-states.ts";
import { jobErrorCodes } from "#lib/errors.ts";
import { filterNames, type JobFilters, parseFilters } from "#lib/jobs/view/job-filters.ts";
import { isFiltered, jobsUrl } from "./filters.ts";
import { OperationFilter } from "./operation-filter.tsx";

interface FilterBarProps {
  readonly filters: JobFilters;
  /** The operations to choose from. */
  readonly operations: readonly CatalogueEntry[];
  /** The account's API keys. */
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

/** The delay between the last keystroke and the search, in milliseconds. */
const debounceMs = 300;

/** The filters of the job list. They are part of the page's URL, so that it can be bookmarked and shared. */
export function FilterBar({ filters, operations, keys }: FilterBarProps) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [pending, startTransition] = useTransition();
  useEffect(() => () => clearTimeout(timer.current), []);
  // The browser's back button changes the URL but not the form.
  useEffect(() => {
    for (const control of controlsOf(form.current)) {
      if (control !== document.activeElement) control.value = filters[control.name];
    }
  }, [filters]);

  function apply() {
    clearTimeout(timer.current);
    if (!form.current) return;
    const url = jobsUrl(parseFilters(Object.fromEntries(textEntries(form.current))));
    startTransition(() => router.replace(url, { scroll: false }));
  }

  function applyDebounced() {
    clearTimeout(timer.current);
    timer.current = setTimeout(apply, debounceMs);
  }

  function clear() {
    // A form's own reset would restore the initial values.
    for (const control of controlsOf(form.current)) control.value = "";
    apply();
  }

  return (
    <search>
      <form
        ref={form}
        action="/dashboard/jobs"
        aria-busy={pending}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          apply();
        }}
        className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,2fr)_8rem_minmax(0,1.5fr)_9rem_9rem_auto] lg:items-end"
      >
        <div className="grid gap-1.5 max-lg:col-span-2">
          <Label htmlFor="filter-q">Search</Label>
          <span className="relative">
            <SearchIcon
              aria-hidden="true"
              className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted-foreground"
            />
            <Input
              id="filter-q"
              name="q"
              type="search"
              placeholder="ID, file name, metadata or error"
              autoComplete="off"
              spellCheck={false}
              defaultValue={filters.q}
              onChange={applyDebounced}
              className="pl-8"
            />
          </span>
        </div>
        <div className="grid min-w-0 gap-1.5">
          <Label htmlFor="filter-status">Status</Label>
          <Select id="filter-status" name="status" defaultValue={filters.status} onChange={apply}>
            <option value="">Any</option>
            {jobStatuses.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </Select>
        </div>
        <div className="grid min-w-0 gap-1.5">
          <Label htmlFor="filter-operation">Operation</Label>
          <OperationFilter operations={operations} chosen={filters.operation} onChange={apply} />
        </div>
        <div className="grid min-w-0 gap-1.5">
          <Label htmlFor="filter-after">Created from (UTC)</Label>
          <DateInput
            id="filter-after"
            name="created_after"
            defaultValue={filters.created_after}
            onChange={applyDebounced}
          />
        </div>
        <div className="grid min-w-0 gap-1.5">
          <Label htmlFor="filter-before">Before (UTC)</Label>
          <DateInput
            id="filter-before"
            name="created_before"
            defaultValue={filters.created_before}
            onChange={applyDebounced}
          />
        </div>
        <Button
          variant="outline"
          disabled={!isFiltered(filters)}
          onClick={clear}
          className="max-lg:col-span-2 max-lg:disabled:hidden"
        >
          Clear
        </Button>
        <details
          open={filters.error_code + filters.key + filters.metadata !== ""}
          className="col-span-full"
        >
          <summary className="w-fit cursor-pointer text-sm text-muted-foreground hover:text-foreground">
            More filters
          </summary>
          <div className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-3">
            <div className="grid min-w-0 gap-1.5">
              <Label htmlFor="filter-error">Error</Label>
              <Select
                id="filter-error"
                name="error_code"
                defaultValue={filters.error_code}
                onChange={apply}
              >
                <option value="">Any</option>
                {jobErrorCodes.map((code) => (
                  <option key={code}>{code}</option>
                ))}
              </Select>
            </div>
            <div className="grid min-w-0 gap-1.5">
              <Label htmlFor="filter-key">API key</Label>
              <Select id="filter-key" name="key" defaultValue={filters.key} onChange={apply}>
                <option value="">Any</option>
                {keys.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </div>
            <div className="grid min-w-0 gap-1.5">
              <Label htmlFor="filter-metadata">Metadata</Label>
              <Input
                id="filter-metadata"
                name="metadata"
                autoComplete="off"
                spellCheck={false}
                placeholder="order=1042"
                defaultValue={filters.metadata}
                onChange={applyDebounced}
                className="font-mono"
              />
            </div>
          </div>
        </details>
      </form>
    </search>
  );
}

type Control = (HTMLInputElement | HTMLSelectElement) & { readonly name: keyof JobFilters };

function controlsOf(form: HTMLFormElement | null): Control[] {
  return filterNames.flatMap((name) => {
    const control = form?.elements.namedItem(name);
    const isFilter = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
    // Found by its name.
    return isFilter ? [control as Control] : [];
  });
}

/** The form's text entries. */
function textEntries(form: HTMLFormElement): [string, string][] {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
}
