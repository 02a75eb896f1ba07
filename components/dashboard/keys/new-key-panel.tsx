"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "#components/ui/dialog.tsx";
import type { PanelProps } from "#components/ui/use-panel.ts";
import { KeyReveal } from "./key-reveal.tsx";
import { NewKeyForm } from "./new-key-form.tsx";

interface NewKeyPanelProps extends PanelProps {
  /** Of the service, without a slash at the end. */
  readonly appUrl: string;
}

/** Asks for what a key needs, then shows the key, once. */
export function NewKeyPanel({ appUrl, open, onOpenChange, onCloseAutoFocus }: NewKeyPanelProps) {
  const [apiKey, setApiKey] = useState<string>();
  /** Once it is out of sight, so that nobody sees the form come back. */
  function forget(event: Event) {
    setApiKey(undefined);
    onCloseAutoFocus(event);
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        className={apiKey === undefined ? undefined : "max-w-xl"}
        onCloseAutoFocus={forget}
        // A key that has just been made must not go by a click beside it.
        onInteractOutside={(event) => apiKey !== undefined && event.preventDefault()}
      >
        {apiKey === undefined ? (
          <>
            <DialogHeader>
              <DialogTitle>Create an API key</DialogTitle>
              <DialogDescription>
                One for each place that uses it, so that each can be revoked by itself.
              </DialogDescription>
            </DialogHeader>
            <NewKeyForm onCreated={setApiKey} />
          </>
        ) : (
          <>
            <DialogHeader>
              <DialogTitle>Your new key</DialogTitle>
              <DialogDescription className="sr-only">
                The key, and a request that uses it.
              </DialogDescription>
            </DialogHeader>
            <KeyReveal apiKey={apiKey} appUrl={appUrl} />
            <DialogFooter>
              <DialogClose asChild>
                <Button>I have copied it</Button>
              </DialogClose>
            </DialogFooter>
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}
