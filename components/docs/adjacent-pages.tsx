import { ArrowLeftIcon, ArrowRightIcon } from "lucide-react";
import Link from "next/link";
import { docsSections } from "./sections.ts";

/** Links to the previous and the next page of the docs, in the order of the navigation. */
export function AdjacentPages({ href }: { href: string }) {
  const pages = docsSections().flatMap((section) => section.pages);
  const index = pages.findIndex((page) => page.href === href);
  const previous = pages[index - 1];
  const next = pages[index + 1];
  return (
    <nav
      aria-label="Previous and next page"
      className="mt-14 flex flex-wrap justify-between gap-4 border-t pt-6 text-sm"
    >
      {previous && (
        <Link
          href={previous.href}
          prefetch={false}
          className="flex items-center gap-2 text-muted-foreground hover:text-foreground"
        >
          <ArrowLeftIcon aria-hidden="true" className="size-4" />
          {previous.title}
        </Link>
      )}
      {next && (
        <Link
          href={next.href}
          className="ml-auto flex items-center gap-2 font-medium text-brand hover:underline hover:underline-offset-4"
        >
          {next.title}
          <ArrowRightIcon aria-hidden="true" className="size-4" />
        </Link>
      )}
    </nav>
  );
}
