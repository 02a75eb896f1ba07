"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
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
  const [isAsking, setAsking] = useState(false);
  /** Runs after the dialog is hidden, so that the empty form does not appear for an instant. */
  function reset(event: Event) {
    setApiKey(undefined);
    setCopied(false);
    setAsking(false);
    onCloseAutoFocus(event);
  }
  /** Escape and the close button: a key that was not copied is lost, so the user is asked first. */
  function changeOpen(isOpen: boolean) {
    if (isOpen || apiKey === undefined || isCopied) return onOpenChange(isOpen);
    setAsking(!isAsking);
  }
  return (
    <Dialog open={open} onOpenChange={changeOpen}>
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
            <NewKeyForm onCreated={setApiKey} />
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
            {isAsking && !isCopied ? (
              <CloseQuestion onStay={() => setAsking(false)} onClose={() => onOpenChange(false)} />
            ) : (
              <DialogFooter>
                <Button onClick={() => onOpenChange(false)}>Done</Button>
              </DialogFooter>
            )}
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

interface CloseQuestionProps {
  readonly onStay: () => void;
  readonly onClose: () => void;
}

function CloseQuestion({ onStay, onClose }: CloseQuestionProps) {
  return (
    <div className="grid gap-3 border-t pt-4">
      <p role="alert" className="text-sm">
        You have not copied the key. Close anyway?
      </p>
      <DialogFooter>
        <Button variant="outline" autoFocus onClick={onStay}>
          Back to the key
        </Button>
        <Button variant="destructive" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </div>
  );
}
