import Form from "next/form";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { DateInput } from "#components/ui/inputs/date-input.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Label } from "#components/ui/inputs/label.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import {
  isRequestFilter,
  type RequestQuery,
  requestErrorCodes,
  statusClasses,
} from "./request-filters.ts";

interface RequestFilterFormProps {
  readonly filters: RequestQuery;
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

/** The filters of the request log. They are part of the page's URL, so that it can be bookmarked and shared. */
export function RequestFilterForm({ filters, keys }: RequestFilterFormProps) {
  return (
    <search>
      <Form
        action="/dashboard/requests"
        scroll={false}
        // Other filters need a new form, because its fields are uncontrolled.
        key={JSON.stringify(filters)}
        className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4 lg:items-end"
      >
        <Filter name="path" label="Method and path" wide>
          <Input
            id="filter-path"
            name="path"
            type="search"
            placeholder="POST /v1/image"
            autoComplete="off"
            spellCheck={false}
            defaultValue={filters.path}
            className="font-mono"
          />
        </Filter>
        <Filter name="status" label="Status">
          <Select id="filter-status" name="status" defaultValue={filters.status}>
            <option value="">Any</option>
            {Object.entries(statusClasses).map(([value, label]) => (
              <option key={value} value={value}>
                {label} ({value})
              </option>
            ))}
            <optgroup label="Error code">
              {requestErrorCodes.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </optgroup>
          </Select>
        </Filter>
        <Filter name="key" label="API key">
          <Select id="filter-key" name="key" defaultValue={filters.key}>
            <option value="">Any</option>
            {keys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Filter>
        <Filter name="id" label="Request or job ID" wide>
          <Input
            id="filter-id"
            name="id"
            type="search"
            placeholder="req_… or job_…"
            autoComplete="off"
            spellCheck={false}
            defaultValue={filters.id}
            className="font-mono"
          />
        </Filter>
        <Filter name="created_after" label="From (UTC)">
          <DateInput
            id="filter-created_after"
            name="created_after"
            defaultValue={filters.created_after}
          />
        </Filter>
        <Filter name="created_before" label="Before (UTC)">
          <DateInput
            id="filter-created_before"
            name="created_before"
            defaultValue={filters.created_before}
          />
        </Filter>
        <div className="col-span-2 flex gap-2 max-lg:[&>*]:flex-1">
          <Button type="submit" variant="outline">
            Filter
          </Button>
          {isRequestFilter(filters) && (
            <Button asChild variant="ghost">
              <Link href="/dashboard/requests">Clear</Link>
            </Button>
          )}
        </div>
      </Form>
    </search>
  );
}

interface FilterProps {
  readonly name: keyof RequestQuery;
  readonly label: string;
  /** Takes the whole width of narrow pages. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Filter({ name, label, wide = false, children }: FilterProps) {
  return (
    <div className={`grid min-w-0 gap-1.5 ${wide ? "max-lg:col-span-2" : ""}`}>
      <Label htmlFor={`filter-${name}`}>{label}</Label>
      {children}
    </div>
  );
}
