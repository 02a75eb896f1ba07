"use client";

import { useEffect, useState } from "react";
import { Message } from "#components/forms/message.tsx";
import { useCurrentPath } from "#components/forms/use-current-path.ts";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import {
  type ReauthenticationQuestion,
  startReauthentication,
} from "#lib/auth/actions/reauthentication.ts";
import { ProviderForms } from "./form.tsx";
import { IdentityForm } from "./identity-form.tsx";

interface ReauthenticationDialogProps {
  readonly open: boolean;
  /**
   * The function that is called when the dialog closes; `isDone` says whether the user has shown
   * who they are.
   */
  readonly onEnd: (isDone: boolean) => void;
  readonly onCloseAutoFocus: (event: Event) => void;
}

/** Asks for the password, a code from an email, or another sign-in. */
export function ReauthenticationDialog(props: ReauthenticationDialogProps) {
  const { open, onEnd, onCloseAutoFocus } = props;
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && onEnd(false)}>
      <DialogContent className="max-w-md" onCloseAutoFocus={onCloseAutoFocus}>
        <DialogHeader>
          <DialogTitle>Confirm that it is you</DialogTitle>
          <DialogDescription>
            This protects your account if someone else uses your browser.
          </DialogDescription>
        </DialogHeader>
        <Question onDone={() => onEnd(true)} />
      </DialogContent>
    </Dialog>
  );
}

/** The content of the dialog, which is rendered for each question, so that each one is new. */
function Question({ onDone }: { readonly onDone: () => void }) {
  const path = useCurrentPath();
  const [question, setQuestion] = useState<ReauthenticationQuestion | "failed">();
  useEffect(() => {
    let isCurrent = true;
    startReauthentication()
      .catch(() => "failed" as const)
      .then((result) => isCurrent && setQuestion(result));
    return () => {
      isCurrent = false;
    };
  }, []);
  if (question === undefined) return <p role="status">Loading…</p>;
  if (question === "failed") {
    return <Message kind="error">This could not be loaded. Close it and try again.</Message>;
  }
  const { method, email, error } = question;
  if (method === "provider") return <ProviderForms question={question} next={path} />;
  return (
    <>
      {method === "code" && error === undefined && (
        <p className="text-sm">We have sent a code to {email}.</p>
      )}
      {error !== undefined && <Message kind="error">{error}</Message>}
      <IdentityForm method={method} onDone={onDone} />
    </>
  );
}
