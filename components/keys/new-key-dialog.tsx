"use client";

import { useState } from "react";
import { SecretFooter, useCloseQuestion } from "#components/ui/overlays/close-question.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { KeyReveal } from "./key-reveal.tsx";
import { NewKeyForm } from "./new-key-form.tsx";

interface NewKeyDialogProps extends LazyDialogProps {
  /** The service's URL, without a trailing slash. */
  readonly appUrl: string;
}

/** Creates a key, then shows it once. */
export function NewKeyDialog({ appUrl, open, onOpenChange, onCloseAutoFocus }: NewKeyDialogProps) {
  const [apiKey, setApiKey] = useState<string>();
  const [isCopied, setCopied] = useState(false);
  const question = useCloseQuestion(apiKey !== undefined && !isCopied, onOpenChange);
  /** Opens the dialog again if it was closed while the key was created. */
  function show(created: string) {
    setApiKey(created);
    onOpenChange(true);
  }
  /** Runs after the dialog is hidden, so that the empty form does not appear for an instant. */
  function reset(event: Event) {
    setApiKey(undefined);
    setCopied(false);
    question.stay();
    onCloseAutoFocus(event);
  }
  return (
    <Dialog open={open} onOpenChange={question.changeOpen}>
      <DialogContent
        className={apiKey === undefined ? undefined : "max-w-xl"}
        onCloseAutoFocus={reset}
        // A click outside must not close the dialog before the new key is copied.
        onInteractOutside={(event) => apiKey !== undefined && event.preventDefault()}
      >
        {apiKey === undefined ? (
          <>
            <DialogHeader>
              <DialogTitle>Create API key</DialogTitle>
              <DialogDescription>
                Create a separate key for each application. You can then revoke one without
                affecting the others.
              </DialogDescription>
            </DialogHeader>
            <NewKeyForm onCreated={show} />
          </>
        ) : (
          <>
            <DialogHeader>
              <DialogTitle>API key created</DialogTitle>
              <DialogDescription className="sr-only">
                The key and code that uses it.
              </DialogDescription>
            </DialogHeader>
            <KeyReveal apiKey={apiKey} appUrl={appUrl} onCopied={() => setCopied(true)} />
            <SecretFooter
              question={question}
              subject="the key"
              onClose={() => onOpenChange(false)}
            />
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}
