import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readText } from "#lib/formats/pdf/objects/text.ts";
import type { NewBookmark } from "#lib/formats/pdf/pages/copy-bookmarks.ts";
import type { Bookmark } from "#lib/formats/pdf/pages/outline.ts";
import { openInput, writePages } from "../../shared/pdf/pages/tasks.ts";
import { bookmarkLevels, maxBookmarks } from "./levels.ts";

/** Functions of a worker that read and write the bookmarks of a PDF. */

interface FlatBookmark {
  readonly title: string;
  /** From 1. */
  readonly page: number;
  /** From 1. */
  readonly level: number;
}

/** One file with other bookmarks. Throws `JobError` `empty` for a page that it does not have. */
export const setBookmarks = async (
  call: WorkerCall<{ readonly bookmarks: readonly FlatBookmark[] }>,
) => {
  const source = openInput(call);
  const { bookmarks } = call.options;
  const count = source.pages.length;
  const missing = bookmarks.find(({ page }) => page > count);
  if (missing) {
    const pages = count === 1 ? "1 page" : `${count} pages`;
    const message = `\`bookmarks\`: there is no page ${missing.page}; the document has ${pages}.`;
    throw new JobError("empty", message);
  }
  return { outputs: [writePages(source, { bookmarks: nest(bookmarks) }, call)] };
};

/** The bookmarks as a tree. */
function nest(bookmarks: readonly FlatBookmark[]): NewBookmark[] {
  const top: NewBookmark[] = [];
  const open: NewBookmark[][] = [top];
  for (const { title, page, level } of bookmarks) {
    const children: NewBookmark[] = [];
    open.length = Math.min(level, open.length);
    open.at(-1)?.push({ title, page: page - 1, children });
    open.push(children);
  }
  return top;
}

/** The bookmarks of the file in order, as far as they are listed, and the number of all. */
export const listBookmarks = async (call: WorkerCall) => {
  const source = openInput(call);
  const pages = new Map(source.pages.map(({ number }, index) => [number, index + 1]));
  const listed: { title: string; page: number | null; level: number }[] = [];
  let count = 0;
  const list = (bookmarks: readonly Bookmark[], level: number) => {
    for (const { title, destination, children } of bookmarks) {
      count++;
      if (listed.length < maxBookmarks && level <= bookmarkLevels) {
        const page = (destination && pages.get(destination.page)) ?? null;
        listed.push({ title: readText(title).slice(0, 2000).toWellFormed(), page, level });
      }
      list(children, level + 1);
    }
  };
  list(source.bookmarks, 1);
  return { outputs: [], result: { bookmarks: listed, count } };
};
