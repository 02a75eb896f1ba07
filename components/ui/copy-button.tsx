"use client";

import { CheckIcon, CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers, such as "Copy the key". */
  readonly label: string;
  /** Shows the label beside the icon. */
  readonly withText?: boolean;
  readonly className?: string;
}

const shownForMs = 2000;

/** Copies `text`, and says so. */
export function CopyButton({ text, label, withText = false, className }: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), shownForMs);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    const copied = await writeToClipboard(text);
    setState(copied ? "copied" : "failed");
  }

  const said = { idle: label, copied: "Copied", failed: "Copying was refused" }[state];
  return (
    <Button
      variant={withText ? "outline" : "ghost"}
      size={withText ? "sm" : "icon-sm"}
      className={className}
      onClick={copy}
      title={said}
    >
      {state === "copied" ? <CheckIcon className="text-success" /> : <CopyIcon />}
      <span className={withText ? undefined : "sr-only"} aria-live="polite">
        {said}
      </span>
    </Button>
  );
}

/** The clipboard's own interface is missing on pages served by plain http from another machine. */
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
