"use client";

import { useState } from "react";
import { Button } from "../button.tsx";
import { DialogFooter } from "./dialog.tsx";

/**
 * For a dialog that shows a secret once: Escape and the close button ask first while `isLossy`, because the secret was
 * not copied. Pass `changeOpen` to the dialog, and show `CloseQuestion` while `isAsking`.
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

interface CloseQuestionProps {
  /** What is lost, such as "the key". */
  readonly subject: string;
  readonly onStay: () => void;
  readonly onClose: () => void;
}

export function CloseQuestion({ subject, onStay, onClose }: CloseQuestionProps) {
  return (
    <div className="grid gap-3 border-t pt-4">
      <p role="alert" className="text-sm">
        You have not copied {subject}. Close anyway?
      </p>
      <DialogFooter>
        <Button variant="outline" autoFocus onClick={onStay}>
          Back to {subject}
        </Button>
        <Button variant="destructive" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </div>
  );
}
