import { CircleAlertIcon, CircleCheckIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/class-names.ts";

interface MessageProps {
  readonly kind: "error" | "success";
  readonly children: ReactNode;
}

/** The result of a form action. */
export function Message({ kind, children }: MessageProps) {
  const isError = kind === "error";
  const Icon = isError ? CircleAlertIcon : CircleCheckIcon;
  return (
    <p
      role={isError ? "alert" : "status"}
      tabIndex={-1}
      className={cn(
        "flex gap-2 rounded-md border p-3 text-sm",
        isError
          ? "border-destructive/30 bg-destructive/10 text-destructive"
          : "border-success/30 bg-success/10 text-success",
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
