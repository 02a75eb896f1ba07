import type { IsolatedWorld } from "./evaluate.ts";
import type { PageDocument } from "./page-document.ts";
import type { PageSettings } from "./settings.ts";

/**
 * What a document must contain so that something in it can wait for scrolling: scripts, handlers of events, other
 * documents, files with styles, lazy resources, boxes that are laid out when they are near, and animations that start then.
 */
const signsOfWaiting =
  /<(?:script|i?frame|object|embed|link)\b|\bon[a-z]+\s*=|\bloading\s*=|\bshadowroot|\bcontent-visibility\b|\b(?:timeline|trigger)\b|@import\b|\0/i;

/**
 * A larger document is not searched, because that would hold up the other jobs of the process: its page is scrolled.
 */
const maxSearchedBytes = 2_000_000;

/** Whether the image of a page can depend on whether it was scrolled before. True for many pages that do not. */
export function mayDependOnScrolling(
  { body }: Pick<PageDocument, "body">,
  {
    css,
    javascript,
    waitForExpression,
  }: Pick<PageSettings, "css" | "javascript" | "waitForExpression">,
): boolean {
  if (css || javascript || waitForExpression || body.length > maxSearchedBytes) return true;
  // The signs are ASCII, which is the same in all encodings but UTF-16. That has zeros.
  return signsOfWaiting.test(body.toString("latin1"));
}

/** Scrolls to the end and back, in at most 30 steps. */
export async function scrollThrough(world: IsolatedWorld): Promise<void> {
  await world.evaluate(`(async () => {
    const end = document.documentElement?.scrollHeight ?? 0;
    if (end <= innerHeight) return;
    const step = Math.max(innerHeight, end / 30);
    for (let top = step; top < end + step; top += step) {
      scrollTo({ top, behavior: "instant" });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    scrollTo({ top: 0, behavior: "instant" });
  })()`);
}
