import type { ReactNode } from "react";
import { cn } from "#components/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";

interface CodeFrameProps {
  /** The text that the copy button copies. */
  readonly code: string;
  readonly title?: string;
  /** Wraps long lines, such as commands, instead of scrolling. */
  readonly wrap?: boolean;
  readonly className?: string | undefined;
  readonly onCopied?: () => void;
  readonly children: ReactNode;
}

/** A frame around code with a copy button. Client Components use it without highlighting. */
export function CodeFrame({
  code,
  title,
  wrap = false,
  className,
  onCopied,
  children,
}: CodeFrameProps) {
  return (
    <div className={cn("relative rounded-lg border bg-card text-sm", className)}>
      {title !== undefined && (
        <p className="border-b px-4 py-2 font-mono text-xs text-muted-foreground">{title}</p>
      )}
      <pre
        className={cn(
          "overflow-x-auto p-4 pr-12 font-mono leading-relaxed",
          wrap && "wrap-anywhere whitespace-pre-wrap",
        )}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
      >
        {children}
      </pre>
      <CopyButton
        text={code}
        label="Copy code"
        onCopied={onCopied}
        className={cn("absolute right-2 bg-card", title === undefined ? "top-2" : "top-11")}
      />
    </div>
  );
}
