"use client";

import { useContext, useState } from "react";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import { placeholderList } from "#lib/connections/target-path.ts";
import { ConnectionsContext } from "../../connections/context.ts";
import type { OutputTarget } from "../../connections/output-target.ts";
import { examplePath, type OutputExample } from "./example-path.ts";

interface ConnectionFieldsProps {
  readonly target: OutputTarget;
  readonly example: OutputExample;
  /** The attributes of the control that an error is about. */
  readonly fault: {
    readonly "aria-invalid": true | undefined;
    readonly "aria-describedby": string | undefined;
  };
  readonly onChange: (part: Partial<OutputTarget>) => void;
}

/** The connection that gets the outputs, their path in it, and an example of that. */
export function ConnectionFields({ target, example, fault, onChange }: ConnectionFieldsProps) {
  const { writable = [] } = useContext(ConnectionsContext) ?? {};
  const [now] = useState(() => new Date());
  const { connection, path, overwrite } = target;
  const shown = examplePath(path, example, now);
  const isUnchosen = connection === "";
  if (writable.length === 0) {
    return (
      <p className="text-sm text-muted-foreground">
        No connection may be written to.{" "}
        <PrefetchLink href="/dashboard/connections" className="underline underline-offset-4">
          Create one
        </PrefetchLink>
        , then choose it here.
      </p>
    );
  }
  return (
    <>
      <Field label="Connection">
        {(control) => (
          <Select
            {...control}
            {...(isUnchosen ? fault : {})}
            value={connection}
            onChange={({ target: { value } }) => onChange({ connection: value })}
          >
            {isUnchosen && <option value="">Choose a connection</option>}
            {writable.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {!isUnchosen && !writable.some(({ id }) => id === connection) && (
              <option value={connection}>{connection}</option>
            )}
          </Select>
        )}
      </Field>
      <Field
        label="Path"
        hint={
          <>
            Placeholders: <code className="text-xs">{placeholderList}</code>
          </>
        }
      >
        {({ "aria-describedby": hint, ...control }) => (
          <Input
            {...control}
            {...(isUnchosen ? {} : fault)}
            aria-describedby={[hint, isUnchosen ? undefined : fault["aria-describedby"]]
              .filter(Boolean)
              .join(" ")}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            placeholder="{filename}"
            value={path}
            onChange={({ target: { value } }) => onChange({ path: value })}
          />
        )}
      </Field>
      {shown !== undefined && (
        <p className="grid gap-1 text-sm text-muted-foreground">
          For example
          <code
            data-testid="example-path"
            className="rounded-md bg-secondary px-2 py-1 font-mono text-xs break-all text-foreground"
          >
            {shown}
          </code>
        </p>
      )}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the label */}
      <label className="flex items-center gap-2 text-sm">
        <Checkbox
          checked={overwrite}
          onChange={({ target: { checked } }) => onChange({ overwrite: checked })}
        />
        Replace a file with this path
      </label>
    </>
  );
}
