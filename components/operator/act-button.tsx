"use client";

import { useTransition } from "react";
import { describeFailure } from "#components/forms/describe-failure.ts";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { FormState } from "#lib/auth/next-auth/credentials.ts";

interface ActButtonProps {
  /** The server action of the act. */
  readonly action: (previous: FormState, form: FormData) => Promise<FormState>;
  readonly values: Readonly<Record<string, string>>;
  readonly label: string;
  /** What it is done to, for screen readers: several rows have the same button. */
  readonly subject: string;
  readonly title: string;
  readonly description: string;
  readonly destructive?: boolean;
}

/** A button for an act of an operator. It asks for confirmation, then shows the result. */
export function ActButton(props: ActButtonProps) {
  const { action, values, label, subject, title, description, destructive = true } = props;
  const [busy, startTransition] = useTransition();
  const reauthenticated = useReauthentication();
  const run = () =>
    startTransition(async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(values)) form.set(name, value);
      const state = await reauthenticated(() => action({}, form)).catch((error) => ({
        errors: { form: describeFailure(error) },
        notice: undefined,
      }));
      if (!state) return;
      const { errors = {}, notice } = state;
      const error = Object.values(errors)[0];
      if (error !== undefined) toast.error(error);
      else if (notice) toast.success(notice);
    });
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline" size="sm" disabled={busy} aria-label={`${label} ${subject}`}>
          {label}
        </Button>
      }
      title={title}
      description={description}
      confirm={label}
      dismiss="Keep it as it is"
      destructive={destructive}
      onConfirm={run}
    />
  );
}
