import type { SearchVerb } from "#components/docs/search/search-dialog.tsx";
import { isShown } from "./is-shown.ts";

/** What can be done now: the buttons and links that have `data-verb`, first those of the page itself. */
export function readVerbs(): SearchVerb[] {
  const shown = [...document.querySelectorAll<HTMLElement>("[data-verb]")].filter(isShown);
  const buttons = shown.toSorted((one, other) => rank(one) - rank(other));
  const byTitle = new Map(buttons.map((button) => [button.dataset.verb ?? "", button]));
  return [...byTitle].map(([title, button]) => ({ title, run: () => button.click() }));
}

function rank(element: HTMLElement): number {
  return element.closest("main") ? 0 : 1;
}
