import Form from "next/form";
import Link from "next/link";
import { Message } from "#components/forms/message.tsx";
import { Button } from "#components/ui/button.tsx";
import { DateInput } from "#components/ui/inputs/date-input.tsx";
import { Label } from "#components/ui/inputs/label.tsx";
import { addDays, maxReportDays } from "#lib/quotas/usage-report.ts";
import { rangeNames, type UsageRange } from "./range.ts";

/** Links to the usual ranges, and a form for any other. The range is part of the page's URL. */
export function RangePicker({ range }: { range: UsageRange }) {
  const { first, end } = range.days;
  return (
    <search className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <nav aria-label="Range" className="flex flex-wrap gap-2">
        {Object.entries(rangeNames).map(([name, label]) => (
          <Button
            key={name}
            asChild
            size="sm"
            variant={name === range.name ? "default" : "outline"}
          >
            <Link
              href={`/dashboard/usage?range=${name}`}
              scroll={false}
              aria-current={name === range.name ? "true" : undefined}
            >
              {label}
            </Link>
          </Button>
        ))}
      </nav>
      <Form
        action="/dashboard/usage"
        scroll={false}
        // Another range needs a new form, because its fields are uncontrolled.
        key={`${first} ${end} ${range.isRejected}`}
        className="grid w-full grid-cols-2 items-end gap-3 sm:flex sm:w-auto"
      >
        <div className="grid gap-1.5">
          <Label htmlFor="usage-from">From (UTC)</Label>
          <DateInput id="usage-from" name="from" required defaultValue={first} />
        </div>
        <div className="grid gap-1.5">
          <Label htmlFor="usage-to">To (UTC)</Label>
          <DateInput id="usage-to" name="to" required defaultValue={addDays(end, -1)} />
        </div>
        <Button type="submit" variant="outline" className="col-span-2">
          Show
        </Button>
      </Form>
      {range.isRejected && (
        <div className="w-full">
          <Message kind="error">
            Choose at most {maxReportDays} days, the first one in “From”. Below are other days.
          </Message>
        </div>
      )}
    </search>
  );
}
