"use client";

import { useContext, useId } from "react";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import { maxUrlLength } from "#lib/fetch-url.ts";
import { ConnectionsContext } from "../../connections/context.ts";
import { noTarget, type OutputTarget } from "../../connections/output-target.ts";
import { UrlInput } from "../../fields/url-input.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import type { OutputExample } from "./example-path.ts";
import { GroupError } from "./group-error.tsx";

interface OutputFieldsProps {
  readonly target: OutputTarget | undefined;
  readonly example: OutputExample;
  readonly error: string | undefined;
  readonly onChange: (target: OutputTarget | undefined) => void;
}

/** Where the outputs go: they are kept here, sent to a connection, or sent to a presigned URL. */
export function OutputFields({ target, example, error, onChange }: OutputFieldsProps) {
  const id = useId();
  const connections = useContext(ConnectionsContext);
  const change = (part: Partial<OutputTarget>) => {
    if (target) onChange({ ...target, ...part });
  };
  const fault = {
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? `${id}-error` : undefined,
  } as const;

  function choose(kind: string) {
    if (kind !== "connection" && kind !== "url") return onChange(undefined);
    const [only, ...others] = connections?.writable ?? [];
    const connection = target?.connection || (only && others.length === 0 ? only.id : "");
    onChange({ ...noTarget, ...target, kind, connection });
  }

  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-2 font-mono text-sm font-medium">output</legend>
      <Select
        aria-label="Where the outputs go"
        value={target?.kind ?? "here"}
        onChange={({ target: { value } }) => choose(value)}
      >
        <option value="here">Keep the outputs here</option>
        <option value="connection">Send the outputs to a connection</option>
        <option value="url">Send the output to a presigned URL</option>
      </Select>
      {target?.kind === "connection" && (
        <ConnectionFields target={target} example={example} fault={fault} onChange={change} />
      )}
      {target?.kind === "url" && (
        <Field
          label="Presigned URL"
          hint="It gets the output by PUT. The form and its link do not keep it."
        >
          {({ "aria-describedby": hint, ...control }) => (
            <UrlInput
              {...control}
              {...fault}
              aria-describedby={[hint, fault["aria-describedby"]].filter(Boolean).join(" ")}
              maxLength={maxUrlLength}
              placeholder="https://bucket.s3.amazonaws.com/out.jpg?X-Amz-Signature=…"
              value={target.url}
              onChange={({ target: { value } }) => change({ url: value })}
            />
          )}
        </Field>
      )}
      {error && <GroupError id={`${id}-error`} error={error} />}
      {target && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the label
        <label className="flex items-center gap-2 text-sm">
          <Checkbox
            checked={target.keep}
            onChange={({ target: { checked } }) => change({ keep: checked })}
          />
          Keep the outputs here, too
        </label>
      )}
    </fieldset>
  );
}
