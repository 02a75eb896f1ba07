"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

type PrefetchLinkProps = Omit<
  ComponentProps<typeof Link>,
  "prefetch" | "onPointerEnter" | "onFocus"
>;

/**
 * A link that loads the whole page when it gets the pointer or the focus, so that a click shows the
 * page immediately. Without it, React shows the loading skeleton for at least 300 ms. Nothing is
 * loaded before: on a page with many links it would compete with what the user waits for.
 */
export function PrefetchLink(props: PrefetchLinkProps) {
  const [prefetching, setPrefetching] = useState(false);
  return (
    <Link
      {...props}
      prefetch={prefetching}
      onPointerEnter={() => setPrefetching(true)}
      onFocus={() => setPrefetching(true)}
    />
  );
}
