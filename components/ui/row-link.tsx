"use client";

import Link from "next/link";
import { type ComponentProps, useEffect, useRef, useState } from "react";

/**
 * A link in a row of a `DataTable` that makes the whole row clickable. The text of the row stays selectable. Loads
 * the whole page when the row gets the pointer or the link gets the focus, as `PrefetchLink` does.
 */
export function RowLink(props: Omit<ComponentProps<typeof Link>, "ref" | "prefetch" | "onFocus">) {
  const link = useRef<HTMLAnchorElement>(null);
  const [prefetching, setPrefetching] = useState(false);
  useEffect(() => {
    const row = link.current?.closest<HTMLElement>("[data-row]");
    if (!row) return;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    row.addEventListener("pointerenter", () => setPrefetching(true), options);
    row.addEventListener("click", (event) => followRow(event, row, link.current), options);
    row.addEventListener("auxclick", (event) => followRow(event, row, link.current), options);
    return () => listening.abort();
  }, []);
  return (
    <Link
      {...props}
      ref={link}
      data-row-link=""
      prefetch={prefetching}
      onFocus={() => setPrefetching(true)}
    />
  );
}

/** Opens the link after a click somewhere in its row, unless the click ended a selection of text. */
function followRow(event: MouseEvent, row: HTMLElement, link: HTMLAnchorElement | null): void {
  const selection = window.getSelection();
  if (selection && !selection.isCollapsed && selection.containsNode(row, true)) {
    event.preventDefault();
    return;
  }
  const { target, button, ctrlKey, metaKey } = event;
  const isControl = target instanceof Element && target.closest("a, button, input, select, label");
  if (!link || isControl || event.defaultPrevented || button > 1) return;
  if (button === 1 || ctrlKey || metaKey) window.open(link.href, "_blank", "noopener");
  else link.click();
}
