"use client";

import { PlusIcon, XIcon } from "lucide-react";
import { useId } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { maxUrlLength } from "#lib/fetch-url.ts";
import { maxMetadataLength, maxMetadataValues } from "#lib/jobs/metadata-limits.ts";
import { UrlInput } from "../fields/url-input.tsx";
import type { JobOptions, MetadataEntry } from "../form/job-options.ts";
import type { OutputExample } from "./output/example-path.ts";
import { GroupError } from "./output/group-error.tsx";
import { OutputFields } from "./output/output-fields.tsx";

export interface OptionFieldsProps {
  readonly options: JobOptions;
  /** Whether a link has filled them in. */
  readonly isLinked: boolean;
  readonly errorOf: (field: string) => string | undefined;
  readonly onChange: (field: "output" | "webhook_url" | "metadata", options: JobOptions) => void;
  /** The form, for an example of an output's path. */
  readonly example: OutputExample;
}

/** The fields of the target, the webhook and the metadata. */
export function OptionFields(props: OptionFieldsProps) {
  const { options, isLinked, errorOf, onChange, example } = props;
  return (
    <div className="grid grid-cols-1 gap-6">
      {isLinked && (
        <p className="text-sm text-muted-foreground">
          A link has filled in this section. Check it before you run the job: the webhook gets the
          job with links to its files.
        </p>
      )}
      <OutputFields
        target={options.target}
        example={example}
        error={errorOf("output")}
        onChange={(target) => onChange("output", { ...options, target })}
      />
      <Field
        label={<span className="font-mono">webhook_url</span>}
        hint="Gets a signed notification when the job has ended."
        error={errorOf("webhook_url")}
      >
        {(control) => (
          <UrlInput
            {...control}
            maxLength={maxUrlLength}
            placeholder="https://example.com/webhooks"
            value={options.webhookUrl}
            onChange={({ target }) =>
              onChange("webhook_url", { ...options, webhookUrl: target.value })
            }
          />
        )}
      </Field>
      <Metadata
        entries={options.metadata}
        error={errorOf("metadata")}
        onChange={(metadata) => onChange("metadata", { ...options, metadata })}
      />
    </div>
  );
}

interface MetadataProps {
  readonly entries: readonly MetadataEntry[];
  readonly error: string | undefined;
  readonly onChange: (entries: readonly MetadataEntry[]) => void;
}

/** The names and values of `metadata`, a pair per line. */
function Metadata({ entries, error, onChange }: MetadataProps) {
  const id = useId();
  const change = (index: number, part: Partial<MetadataEntry>) =>
    onChange(entries.map((entry, at) => (at === index ? { ...entry, ...part } : entry)));
  const control = {
    autoComplete: "off",
    maxLength: maxMetadataLength,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? `${id}-error` : undefined,
  } as const;
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={`${id}-hint`}>
      <legend className="mb-2 font-mono text-sm font-medium">metadata</legend>
      {entries.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other identity, and its fields keep no state
        <div key={index} className="flex items-center gap-2">
          <Input
            {...control}
            aria-label={`Name ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={({ target }) => change(index, { name: target.value })}
          />
          <Input
            {...control}
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            value={value}
            onChange={({ target }) => change(index, { value: target.value })}
          />
          <Button
            type="button"
            variant="ghost"
            size="icon"
            aria-label={`Remove value ${index + 1}`}
            onClick={() => onChange(entries.filter((_, at) => at !== index))}
          >
            <XIcon aria-hidden="true" />
          </Button>
        </div>
      ))}
      {entries.length < maxMetadataValues && (
        <Button
          type="button"
          variant="outline"
          size="sm"
          className="w-fit"
          onClick={() => onChange([...entries, { name: "", value: "" }])}
        >
          <PlusIcon aria-hidden="true" />
          Add a value
        </Button>
      )}
      <p id={`${id}-hint`} className="text-sm text-muted-foreground">
        Your own data, such as an order number. The job and its webhook contain it.
      </p>
      {error && <GroupError id={`${id}-error`} error={error} />}
    </fieldset>
  );
}
