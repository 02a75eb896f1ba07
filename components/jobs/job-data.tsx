import { CircleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import { inputIndexOf } from "#lib/jobs/sources.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";

/** Names and values, one pair per line. */
export function DescriptionList({
  rows,
  rejected,
}: {
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
  /** The name of the value that an error is about. */
  readonly rejected?: string | undefined;
}) {
  return (
    <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-y-3">
      {rows.map(([name, value]) => (
        <div
          key={name}
          className={name === rejected ? "contents text-destructive" : "contents"}
          data-rejected={name === rejected ? "" : undefined}
        >
          <dt
            className={cn(
              "min-w-0 font-mono text-xs leading-5 break-words",
              name !== rejected && "text-muted-foreground",
            )}
          >
            {name}
          </dt>
          <dd className="mb-2 min-w-0 break-words whitespace-pre-wrap sm:mb-0">
            {value}
            {name === rejected && (
              <span className="ml-2 inline-flex items-center gap-1 text-xs font-medium">
                <CircleAlertIcon aria-hidden="true" className="size-3.5" />
                Rejected
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The input files of a job: several inputs with their numbers, then further files by their names. */
export function InputList({ inputs }: Pick<JobDetails, "inputs">) {
  if (inputs.length === 0) return <p className="text-sm text-muted-foreground">No files.</p>;
  const indexOf = ({ part }: JobInputFile) => inputIndexOf(part) ?? inputs.length;
  const inOrder = inputs.toSorted((one, other) => indexOf(one) - indexOf(other));
  const hasSeveral = inputs.filter(({ part }) => inputIndexOf(part) !== undefined).length > 1;
  const nameOf = (input: JobInputFile) =>
    hasSeveral && indexOf(input) < inputs.length ? `input ${indexOf(input) + 1}` : input.part;
  return (
    <DescriptionList
      rows={inOrder.map((input) => [nameOf(input), <InputFile key={input.part} {...input} />])}
    />
  );
}

function InputFile({ filename, contentType, bytes, sourceUrl, url }: JobInputFile) {
  const about = [contentType, bytes === null ? null : formatBytes(bytes)]
    .filter(Boolean)
    .join(", ");
  return (
    <>
      {filename !== null && (
        <span className="block break-all">
          {url ? (
            <a href={url} download={filename} className="text-brand underline underline-offset-4">
              {filename}
            </a>
          ) : (
            filename
          )}
        </span>
      )}
      {about && <span className="block text-muted-foreground">{about}</span>}
      {/* Not a link: the URL is untrusted and leads to another site. */}
      {sourceUrl !== null && <span className="block font-mono text-xs break-all">{sourceUrl}</span>}
    </>
  );
}

/** A job's parameters, or its metadata. */
export function ValueList({
  values,
  empty,
  rejected,
}: {
  readonly values: Readonly<Record<string, unknown>>;
  readonly empty: string;
  /** The name of the value that an error is about. */
  readonly rejected?: string | undefined;
}) {
  const rows = Object.entries(values).map(
    ([name, value]) =>
      [name, typeof value === "string" ? value : JSON.stringify(value, null, 2)] as const,
  );
  if (rows.length === 0) return <p className="text-sm text-muted-foreground">{empty}</p>;
  return <DescriptionList rows={rows} rejected={rejected} />;
}
