import type { ReactNode } from "react";
import { PlanTable } from "#components/plans/plan-table.tsx";
import { AdjacentPages } from "./adjacent-pages.tsx";
import { readTokens } from "./guide-tokens.ts";
import { type Guide, guideHref } from "./guides.ts";
import { readHeadings } from "./headings.ts";
import { LimitsTable } from "./limits-table.tsx";
import { Markdown } from "./markdown.tsx";
import { JobErrorsTable, RequestErrorsTable } from "./tables.tsx";

/** A guide with its table of contents and links to the adjacent pages. */
export function GuidePage({ guide, children }: { guide: Guide; children?: ReactNode }) {
  const tokens = readTokens(guide);
  const headings = readHeadings(tokens);
  return (
    <div className="grid gap-x-10 xl:grid-cols-[minmax(0,1fr)_11rem]">
      <article className="min-w-0">
        <DocsTitle title={guide.title} summary={guide.summary} />
        <Markdown
          tokens={tokens}
          inserts={{
            plans: <PlanTable />,
            "file-limits": <LimitsTable />,
            "request-errors": <RequestErrorsTable />,
            "job-errors": <JobErrorsTable />,
          }}
        />
        {children}
        <AdjacentPages href={guideHref(guide.slug)} />
      </article>
      <aside className="sticky top-22 hidden h-fit text-sm xl:block">
        {headings.length > 1 && (
          <nav aria-label="On this page">
            <p className="mb-2 font-semibold">On this page</p>
            <ul className="grid gap-1.5">
              {headings.map(({ id, text }) => (
                <li key={id}>
                  <a href={`#${id}`} className="text-muted-foreground hover:text-foreground">
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </aside>
    </div>
  );
}

interface DocsTitleProps {
  readonly title: string;
  readonly summary: ReactNode;
}

/** The header of a docs page. */
export function DocsTitle({ title, summary }: DocsTitleProps) {
  return (
    <header className="mb-8">
      <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">{title}</h1>
      <p className="mt-3 text-lg text-muted-foreground">{summary}</p>
      <div aria-hidden="true" className="ruler mt-5 h-2 border-b text-input" />
    </header>
  );
}
