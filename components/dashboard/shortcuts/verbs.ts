import type { SearchTarget } from "#components/docs/search/search-target.ts";
import { isShown } from "./is-shown.ts";

/** Words that people use for an action, by its title. */
const words: Readonly<Record<string, string>> = {
  "Sign out": "log out logout exit quit leave",
  "Show keyboard shortcuts": "keys hotkeys help",
};

/** What can be done now: the buttons and links that have `data-verb`, in the page itself or around it. */
export function readVerbs(place: "page" | "frame"): SearchTarget[] {
  const shown = [...document.querySelectorAll<HTMLElement>("[data-verb]")].filter(isShown);
  const buttons = shown.filter(
    (button) => (button.closest("main") !== null) === (place === "page"),
  );
  const byTitle = new Map(buttons.map((button) => [button.dataset.verb ?? "", button]));
  return [...byTitle].map(([title, button]) => toVerb(title, () => button.click()));
}

/** An action of the present page as a result of the search. */
export function toVerb(title: string, run: () => void): SearchTarget {
  return { kind: "action", title, section: "Action", text: "", words: words[title] ?? "", run };
}
