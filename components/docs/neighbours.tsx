import { ArrowLeftIcon, ArrowRightIcon } from "lucide-react";
import Link from "next/link";
import { docsSections } from "./sections.ts";

/** The ways from a page of the docs to the one before and the one after it, in the navigation's order. */
export function Neighbours({ href }: { href: string }) {
  const pages = docsSections().flatMap((section) => section.pages);
  const place = pages.findIndex((page) => page.href === href);
  const before = pages[place - 1];
  const after = pages[place + 1];
  return (
    <nav
      aria-label="Neighbours"
      className="mt-14 flex flex-wrap justify-between gap-4 border-t pt-6 text-sm"
    >
      {before && (
        <Link
          href={before.href}
          prefetch={false}
          className="flex items-center gap-2 text-muted-foreground hover:text-foreground"
        >
          <ArrowLeftIcon aria-hidden="true" className="size-4" />
          {before.title}
        </Link>
      )}
      {after && (
        <Link
          href={after.href}
          className="ml-auto flex items-center gap-2 font-medium text-brand hover:underline hover:underline-offset-4"
        >
          {after.title}
          <ArrowRightIcon aria-hidden="true" className="size-4" />
        </Link>
      )}
    </nav>
  );
}
