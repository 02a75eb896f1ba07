"use client";

import { type FormEvent, useState, useTransition } from "react";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { SecretFooter, useCloseQuestion } from "#components/ui/overlays/close-question.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";

interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly salt: string;
}

/** Creates a key. Resolves to it, or to an error message. */
export type CreateImageKey = (
  unsigned: boolean,
) => Promise<CreatedKey | { readonly error: string } | NeedsReauthentication>;

interface NewImageKeyDialogProps extends LazyDialogProps {
  readonly createKey: CreateImageKey;
}

/** Creates a key, then shows it and its salt once. */
export function NewImageKeyDialog({
  createKey,
  open,
  onOpenChange,
  onCloseAutoFocus,
}: NewImageKeyDialogProps) {
  const [created, setCreated] = useState<CreatedKey>();
  const [copied, setCopied] = useState<readonly string[]>([]);
  const isCopied = copied.includes("key") && copied.includes("salt");
  const question = useCloseQuestion(created !== undefined && !isCopied, onOpenChange);
  /** Opens the dialog again if it was closed while the key was created. */
  function show(key: CreatedKey) {
    setCreated(key);
    onOpenChange(true);
  }
  function reset(event: Event) {
    setCreated(undefined);
    setCopied([]);
    question.stay();
    onCloseAutoFocus(event);
  }
  return (
    <Dialog open={open} onOpenChange={question.changeOpen}>
      <DialogContent
        onCloseAutoFocus={reset}
        // A click outside must not close the dialog before the new key is copied.
        onInteractOutside={(event) => created && event.preventDefault()}
      >
        <DialogHeader>
          <DialogTitle>{created ? "Key created" : "Create key"}</DialogTitle>
          <DialogDescription>
            {created
              ? "Copy the key and the salt now. They are shown only once."
              : "A key and a salt sign the URLs of pictures, so that only you can make new ones."}
          </DialogDescription>
        </DialogHeader>
        {created ? (
          <>
            <CopyField label="Id" text={created.id} />
            <CopyField
              label="Key"
              text={created.key}
              onCopied={() => setCopied([...copied, "key"])}
            />
            <CopyField
              label="Salt"
              text={created.salt}
              onCopied={() => setCopied([...copied, "salt"])}
            />
            <SecretFooter
              question={question}
              subject="the key and the salt"
              onClose={() => onOpenChange(false)}
            />
          </>
        ) : (
          <NewImageKeyForm createKey={createKey} onCreated={show} />
        )}
      </DialogContent>
    </Dialog>
  );
}

interface NewImageKeyFormProps {
  readonly createKey: CreateImageKey;
  readonly onCreated: (created: CreatedKey) => void;
}

function NewImageKeyForm({ createKey, onCreated }: NewImageKeyFormProps) {
  const [error, setError] = useState<string>();
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const unsigned = new FormData(event.currentTarget).get("unsigned") === "on";
    start(async () => {
      const result = await reauthenticated(() => createKey(unsigned)).catch(() => ({
        error: "The key could not be created. Try again.",
      }));
      if (!result) return;
      if ("key" in result) onCreated(result);
      else setError(result.error);
    });
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the label */}
      <label className="flex items-start gap-2 text-sm">
        <Checkbox name="unsigned" className="mt-0.5" />
        <span>
          Also answer URLs without a signature. Then anyone can have pictures made at your expense.
        </span>
      </label>
      {error && (
        <p role="alert" className="text-sm text-destructive">
          {error}
        </p>
      )}
      <Button type="submit" disabled={pending} className="justify-self-end">
        {pending ? "Creating…" : "Create key"}
      </Button>
    </form>
  );
}

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onCopied?: () => void;
}

function CopyField({ label, text, onCopied }: CopyFieldProps) {
  return (
    <div className="grid min-w-0 gap-1" onCopy={onCopied}>
      <span className="text-sm font-medium">{label}</span>
      <div className="flex min-w-0 items-center gap-2 rounded-md border border-input bg-card py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{text}</code>
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} onCopied={onCopied} />
      </div>
    </div>
  );
}
