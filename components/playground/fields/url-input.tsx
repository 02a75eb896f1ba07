import { LinkIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Input } from "#components/ui/inputs/input.tsx";

/** A text field for the URL of a file. */
export function UrlInput(props: ComponentProps<typeof Input>) {
  return (
    <span className="relative min-w-0 flex-1">
      <LinkIcon
        aria-hidden="true"
        className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted-foreground"
      />
      <Input type="url" autoComplete="off" className="pl-8" {...props} />
    </span>
  );
}
