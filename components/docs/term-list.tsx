import type { ReactNode } from "react";

export interface Term {
  /** A parameter's name, or a code. */
  readonly name: string;
  /** What is next to the name: the allowed values, or a status. */
  readonly aside: ReactNode;
  /** What is at the end of the line: the default value, or "required". */
  readonly mark?: ReactNode;
  readonly text: ReactNode;
}

interface TermListProps {
  readonly label: string;
  readonly terms: readonly Term[];
  /** Whether each term is an anchor with its name as ID. */
  readonly linked?: boolean;
}

/** Names and descriptions as a list that is readable at any width. */
export function TermList({ label, terms, linked = false }: TermListProps) {
  return (
    <dl aria-label={label} className="divide-y border-y">
      {terms.map(({ name, aside, mark, text }) => (
        <div
          key={name}
          {...(linked && { id: name })}
          className="grid gap-1.5 py-4 target:bg-brand/5 sm:py-3.5"
        >
          <dt className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
            <code className="font-mono font-semibold">{name}</code>
            <span className="text-muted-foreground">{aside}</span>
            {mark && <span className="text-xs sm:ml-auto">{mark}</span>}
          </dt>
          <dd className="text-sm">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
