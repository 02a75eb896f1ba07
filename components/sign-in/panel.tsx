import type { ReactNode } from "react";

interface PanelProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Links to other pages, under the form. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** The layout of the sign-in, sign-up and password pages. */
export function Panel({ title, description, footer, children }: PanelProps) {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {description && <p className="mt-2 text-sm text-muted-foreground">{description}</p>}
      <div aria-hidden="true" className="ruler mt-5 mb-8 h-2 border-b text-input" />
      <div className="grid gap-6">{children}</div>
      {footer && (
        <div className="mt-8 grid gap-2 border-t pt-5 text-sm text-muted-foreground">{footer}</div>
      )}
    </>
  );
}
