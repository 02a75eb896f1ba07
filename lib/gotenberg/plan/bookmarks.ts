import { type GoType, int, mapOf, sliceOf, string, struct, unmarshal } from "../base/unmarshal.ts";
import { type Form, unmarshalField } from "../form/form.ts";
import { type Plan, type Step, step } from "./plan.ts";

/** The field `bookmarks`, and the routes that read and write the bookmarks of PDF files. */

/** A bookmark as Gotenberg writes it. */
interface Bookmark {
  readonly title: string;
  readonly page: number;
  readonly children?: readonly Bookmark[];
}

const bookmarkType: GoType<Required<Bookmark>> = struct("gotenberg.Bookmark", () => ({
  title: string,
  page: int,
  children: sliceOf(bookmarkType),
}));

/** The bookmarks of one file, or of files by name. */
type Bookmarks = readonly Bookmark[] | ReadonlyMap<string, readonly Bookmark[]>;

export function planReadBookmarks(form: Form): Plan {
  const files = form.requirePdfs();
  form.validate();
  return {
    source: { files },
    steps: [step("document/bookmarks")],
    // The result is that of the operation.
    answer: ({ bookmarks }) => nestBookmarks(bookmarks as FlatBookmark[]),
  };
}

export function planWriteBookmarks(form: Form): Plan {
  form.require("bookmarks");
  const bookmarks = readBookmarks(form);
  const files = form.requirePdfs();
  form.validate();
  const steps =
    bookmarks instanceof Map
      ? [
          writeByName(
            files.map(({ filename }) => filename),
            bookmarks,
            true,
          ),
        ]
      : Array.isArray(bookmarks) && bookmarks.length > 0
        ? [writeAll(bookmarks)]
        : [];
  return { source: { files }, steps };
}

export function readBookmarks(form: Form): Bookmarks {
  return form.parse<Bookmarks>("bookmarks", [], (text) => {
    try {
      return unmarshal(text, sliceOf(bookmarkType));
    } catch {
      // Gotenberg's error is that of the second attempt, also for a list.
      const byName = unmarshalField("bookmarks", text, mapOf(sliceOf(bookmarkType)));
      return new Map(Object.entries(byName));
    }
  });
}

const fields = { bookmarks: "bookmarks" };

/** A file gets these bookmarks. */
export function writeAll(bookmarks: readonly Bookmark[]): Step {
  return step("document/bookmarks", { bookmarks: flatten(bookmarks) }, { fields });
}

/** Before files are merged, each gets its bookmarks, or loses its own if they are not kept. */
export function writeByName(
  names: readonly string[],
  byName: ReadonlyMap<string, readonly Bookmark[]>,
  keepsOthers: boolean,
): Step {
  const entries = names.flatMap((name) => {
    const own = byName.get(name);
    if (!own?.length && keepsOthers) return [];
    return [[name, { bookmarks: flatten(own ?? []) }] as const];
  });
  return step("document/bookmarks", {}, { paramsByName: new Map(entries), fields });
}

/** Bookmarks in order, each with its level. */
function flatten(bookmarks: readonly Bookmark[], level = 1): object[] {
  return bookmarks.flatMap(({ title, page, children = [] }) => [
    { title, page, level },
    ...flatten(children, level + 1),
  ]);
}

/** The bookmarks of a job as Gotenberg lists them. Those that lead to no page are left out. */
export function nestBookmarks(listed: readonly FlatBookmark[]): Bookmark[] {
  const nest = (from: number, to: number, level: number): Bookmark[] => {
    const found: Bookmark[] = [];
    for (let index = from; index < to; index++) {
      const { title = "", page = null, level: own = 0 } = listed[index] ?? {};
      if (own !== level || page === null) continue;
      let end = index + 1;
      while (end < to && (listed[end]?.level ?? 0) > level) end++;
      const children = nest(index + 1, end, level + 1);
      found.push({ title, page, ...(children.length > 0 ? { children } : {}) });
      index = end - 1;
    }
    return found;
  };
  return nest(0, listed.length, 1);
}

interface FlatBookmark {
  readonly title: string;
  readonly page: number | null;
  readonly level: number;
}
