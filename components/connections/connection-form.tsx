"use client";

import { type FormEvent, useEffect, useRef, useState, useTransition } from "react";
import { Message } from "#components/forms/message.tsx";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Button } from "#components/ui/button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import type { ConnectionType } from "#lib/db/schema/credentials/connections.ts";
import type { ConnectionActions } from "./actions.ts";
import type { ConnectionFault } from "./browse/folder-page.ts";
import type { ConnectionView } from "./connection-view.ts";
import { KindFields } from "./kind-fields.tsx";
import { accessLabels, connectionKinds } from "./kinds.ts";
import { requestOfForm } from "./request-of-form.ts";

interface ConnectionFormProps {
  /** The connection to change; undefined for a new one. */
  readonly connection: ConnectionView | undefined;
  readonly save: ConnectionActions["save"];
  readonly onSaved: (connection: ConnectionView) => void;
}

/** The form of a connection: one for each type. */
export function ConnectionForm({ connection, save, onSaved }: ConnectionFormProps) {
  const [type, setType] = useState<ConnectionType>(connection?.type ?? "s3");
  const [fault, setFault] = useState<ConnectionFault>();
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>("[aria-invalid], [role=alert]")?.focus();
  }, [fault]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const request = requestOfForm(new FormData(event.currentTarget), type, connection);
    start(async () => {
      const result = await reauthenticated(() => save(request, connection?.id)).catch(() => ({
        error: "The connection could not be saved. Try again.",
      }));
      if (!result) return;
      if ("connection" in result) onSaved(result.connection);
      else setFault(result);
    });
  }

  const names = new Set(["name", "prefix", "access", "operations"]);
  for (const { name } of connectionKinds[type].fields) names.add(name);
  const isAtField = fault?.field !== undefined && names.has(fault.field);
  const errorOf = (name: string) => (fault?.field === name ? fault.error : undefined);
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid min-w-0 gap-4">
      {fault && !isAtField && (
        <Message kind="error">
          <InlineCode text={fault.error} />
        </Message>
      )}
      {!connection && (
        <Field label="Kind of store" hint={connectionKinds[type].about}>
          {(control) => (
            <Select
              {...control}
              value={type}
              onChange={({ target }) => {
                // One of the options.
                setType(target.value as ConnectionType);
                setFault(undefined);
              }}
            >
              {Object.entries(connectionKinds).map(([one, { label }]) => (
                <option key={one} value={one}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field label="Name" hint="For people, such as “Raw videos”." error={errorOf("name")}>
        {(control) => (
          <Input
            {...control}
            name="name"
            maxLength={100}
            autoComplete="off"
            defaultValue={connection?.name}
          />
        )}
      </Field>
      <KindFields key={type} type={type} connection={connection} errorOf={errorOf} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="Folder"
          hint="The connection cannot leave it. Empty: the whole store."
          error={errorOf("prefix")}
        >
          {(control) => (
            <Input
              {...control}
              name="prefix"
              autoComplete="off"
              placeholder="uploads"
              defaultValue={connection?.prefix}
            />
          )}
        </Field>
        <Field label="Access" hint="What jobs may do with it." error={errorOf("access")}>
          {(control) => (
            <Select {...control} name="access" defaultValue={connection?.access ?? "both"}>
              {Object.entries(accessLabels).map(([one, label]) => (
                <option key={one} value={one}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field
        label="Operations"
        hint="The only operations whose jobs may use it, separated by commas. Empty: all."
        error={errorOf("operations")}
      >
        {(control) => (
          <Input
            {...control}
            name="operations"
            autoComplete="off"
            placeholder="video/convert, image/resize"
            defaultValue={connection?.operations?.join(", ")}
          />
        )}
      </Field>
      <Button type="submit" aria-disabled={pending} className="justify-self-end">
        {pending ? "Saving…" : connection ? "Save and test" : "Create and test"}
      </Button>
    </form>
  );
}
