/**
 * The number of letters that were left out, added, replaced or swapped with the next one between two words: the
 * optimal string alignment distance, a restricted form of the Damerau–Levenshtein distance. Any distance above `max` is
 * Infinity. MiniSearch has the Levenshtein distance, in which a swap, the most frequent error of fast typing, counts twice.
 */
export function editDistance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? cell(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...current) > max) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = current;
  }
  const distance = cell(last, other.length);
  return distance > max ? Number.POSITIVE_INFINITY : distance;
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** How many errors a word may have: short words would become other words. */
export function maxErrors(word: string): number {
  if (/\d/.test(word) || word.length < 3) return 0;
  return word.length < 6 ? 1 : 2;
}

/** Whether the letters are the same in another order: the only error that a word of three letters may have. */
export function isAnagram(one: string, other: string): boolean {
  return [...one].sort().join("") === [...other].sort().join("");
}

/** The words of `vocabulary` that `word` was probably meant to be: those with the fewest errors. */
export function correct(word: string, vocabulary: Iterable<string>): string[] {
  const max = maxErrors(word);
  if (max === 0) return [];
  let least = max;
  let found: string[] = [];
  for (const candidate of vocabulary) {
    if (candidate.length < 3 || (word.length === 3 && !isAnagram(word, candidate))) continue;
    const distance = editDistance(word, candidate, least);
    // With two errors, only the first letter shows that it is the same word.
    if (distance > least || (distance > 1 && candidate[0] !== word[0])) continue;
    if (distance < least) found = [];
    least = distance;
    found.push(candidate);
  }
  const sameStart = found.filter((candidate) => candidate[0] === word[0]);
  return sameStart.length > 0 ? sameStart : found;
}
