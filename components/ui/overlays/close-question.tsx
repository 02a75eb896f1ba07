"use client";

import { useState } from "react";
import { Button } from "../button.tsx";
import { DialogFooter } from "./dialog.tsx";

/**
 * For a dialog that shows a secret once: Escape and the close button ask first while `isLossy`, because the secret was
 * not copied. Pass `changeOpen` to the dialog, and the question to `SecretFooter`.
 */
export function useCloseQuestion(isLossy: boolean, onOpenChange: (open: boolean) => void) {
  const [isAsking, setAsking] = useState(false);
  return {
    isAsking: isLossy && isAsking,
    stay: () => setAsking(false),
    changeOpen: (isOpen: boolean) => {
      setAsking(isLossy && !isAsking);
      if (isOpen || !isLossy) onOpenChange(isOpen);
    },
  } as const;
}

interface SecretFooterProps {
  readonly question: Pick<ReturnType<typeof useCloseQuestion>, "isAsking" | "stay">;
  /** What is lost, such as "the key". */
  readonly subject: string;
  readonly onClose: () => void;
}

/** The button that closes the dialog, and the question in its place. */
export function SecretFooter({ question, subject, onClose }: SecretFooterProps) {
  if (!question.isAsking) {
    return (
      <DialogFooter>
        <Button onClick={onClose}>Done</Button>
      </DialogFooter>
    );
  }
  return (
    <div className="grid gap-3 border-t pt-4">
      <p role="alert" className="text-sm">
        You have not copied {subject}. Close anyway?
      </p>
      <DialogFooter>
        <Button variant="outline" autoFocus onClick={question.stay}>
          Back to {subject}
        </Button>
        <Button variant="destructive" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </div>
  );
}
