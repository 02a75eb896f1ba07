import type { FocusEvent } from "react";

/** Browsers scroll to the caret of a text area, of which the bar at the bottom may cover the rest. */
export function showWhole({ target }: FocusEvent): void {
  if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest" });
}
