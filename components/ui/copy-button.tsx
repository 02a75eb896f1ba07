"use client";

import { CheckIcon, CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** The button's label, such as "Copy key". */
  readonly label: string;
  /** Shows the label next to the icon. */
  readonly withText?: boolean;
  readonly className?: string;
  /** Called when the text is in the clipboard. */
  readonly onCopied?: (() => void) | undefined;
}

const feedbackMs = 2000;

/** Copies `text` to the clipboard and shows the result. */
export function CopyButton({
  text,
  label,
  withText = false,
  className,
  onCopied,
}: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), feedbackMs);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    const copied = await writeToClipboard(text);
    setState(copied ? "copied" : "failed");
    if (copied) onCopied?.();
  }

  const message = { idle: label, copied: "Copied", failed: "Could not copy" }[state];
  return (
    <Button
      variant={withText ? "outline" : "ghost"}
      size={withText ? "sm" : "icon-sm"}
      className={className}
      onClick={copy}
      title={message}
    >
      {state === "copied" ? <CheckIcon className="text-success" /> : <CopyIcon />}
      <span className={withText ? undefined : "sr-only"} aria-live="polite">
        {message}
      </span>
    </Button>
  );
}

/** `navigator.clipboard` is missing on pages that are served over plain HTTP from another host. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}
