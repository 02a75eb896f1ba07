"use client";

import { type ComponentType, lazy } from "react";
import { type LoadComponent, loadOr } from "./load-or.ts";

/** React's `lazy` for a part of a page. If its script cannot be loaded, a note takes its place. */
export function lazyPart<Props extends object>(load: LoadComponent<Props>) {
  return lazy<ComponentType<Props>>(async () => ({
    default: await loadOr(load, NotLoaded),
  }));
}

/**
 * The note where a part of a page is missing. An error would replace the whole page, and what the user has
 * entered in it.
 */
export function NotLoaded() {
  return (
    <p role="alert" className="text-sm text-muted-foreground">
      This part of the page could not be loaded. Check the connection, then reload the page.
    </p>
  );
}
