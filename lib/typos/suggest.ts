import { correct } from "./edit-distance.ts";

/** At most so many names are suggested: more would be a list, not a suggestion. */
const maxSuggestions = 3;

/** Names that differ only in their case, and in how their words are joined, are the same: `fontSize` is `font_size`. */
const keyOf = (name: string) => name.toLowerCase().replaceAll(/[-_.\s]/g, "");

/**
 * The names that `given` was probably meant to be, at most three: the same one in another spelling, else those with
 * the fewest errors, else those with `given` as one of their words, such as `target_lufs` for `lufs`. None if nothing
 * is similar, or more than three are.
 */
export function suggest(given: string, names: Iterable<string>): string[] {
  const key = keyOf(given.slice(0, maxSuggestedLength));
  if (key === "") return [];
  const byKey = Map.groupBy(new Set(names), keyOf);
  const keys = byKey.has(key) ? [key] : correct(key, byKey.keys());
  const found =
    keys.length > 0
      ? keys
      : [...byKey.keys()].filter((one) =>
          byKey.get(one)?.some((name) =>
            name
              .toLowerCase()
              .split(/[-_.\s]/)
              .includes(key),
          ),
        );
  const similar = found.flatMap((one) => byKey.get(one) ?? []);
  return similar.length > maxSuggestions ? [] : similar;
}

/** Longer than any name, so that a long text of a client costs no more. */
const maxSuggestedLength = 100;

/** `Did you mean `width` or `height`?`, with a space before it; empty without names. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return "";
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop();
  return ` Did you mean ${quoted.length > 0 ? `${quoted.join(", ")} or ${last}` : last}?`;
}
