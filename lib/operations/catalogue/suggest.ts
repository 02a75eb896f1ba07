import { editDistance, maxErrors } from "#lib/typos/edit-distance.ts";
import { suggest } from "#lib/typos/suggest.ts";
import { operations } from "./index.ts";

const groups = new Set(operations.map(({ group }) => group));
const ids = operations.map(({ id }) => id);
const nameOf = (id: string) => id.slice(id.indexOf("/") + 1);

/**
 * The ids of the operations that `given` was probably meant to be, at most three: `image/resize` for `image/rezise`,
 * `images/resize` and `image/re-size`; `image/resize` and `video/resize` for `resize` alone.
 */
export function suggestOperations(given: string): string[] {
  const id = given.toLowerCase();
  if (!id.includes("/")) return inAnyGroup(id);
  const group = id.slice(0, id.indexOf("/"));
  const inGroup = ids.filter((one) => isSimilarWord(group, one.slice(0, one.indexOf("/"))));
  const found = suggest(nameOf(id), inGroup.map(nameOf));
  const similar = inGroup.filter((one) => found.includes(nameOf(one)));
  return similar.length > 0 ? similar : inAnyGroup(nameOf(id));
}

function inAnyGroup(name: string): string[] {
  const found = suggest(name, ids.map(nameOf));
  const similar = ids.filter((id) => found.includes(nameOf(id)));
  return similar.length > groups.size ? [] : similar.slice(0, 3);
}

function isSimilarWord(given: string, word: string): boolean {
  return editDistance(given, word, maxErrors(word)) <= maxErrors(word);
}
