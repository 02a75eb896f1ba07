import type { HuffmanTable } from "./read-header.ts";

const maxLength = 16;

/**
 * The Huffman table with the shortest codes for symbols that occur as often as `frequencies` has it
 * (T.81, K.2). No code has only ones, and none is longer than 16 bits.
 */
export function buildOptimalTable(frequencies: Float64Array): HuffmanTable {
  // One more symbol, which gets the longest code, of only ones, and is then left out.
  const weights = [...frequencies, 1];
  const lengths = weights.map(() => 0);
  const next = weights.map(() => -1);
  for (;;) {
    const one = findSmallest(weights, -1);
    const other = findSmallest(weights, one);
    if (other < 0) break;
    weights[one] = (weights[one] ?? 0) + (weights[other] ?? 0);
    weights[other] = 0;
    // Both chains of symbols get one more bit, and become one chain.
    let last = one;
    for (let at = one; at >= 0; at = next[at] ?? -1) {
      lengths[at] = (lengths[at] ?? 0) + 1;
      last = at;
    }
    next[last] = other;
    for (let at = other; at >= 0; at = next[at] ?? -1) lengths[at] = (lengths[at] ?? 0) + 1;
  }
  const counts = limitLengths(lengths);
  const symbols = Array.from(frequencies, (_, symbol) => symbol)
    .filter((symbol) => (lengths[symbol] ?? 0) > 0)
    .sort((one, other) => (lengths[one] ?? 0) - (lengths[other] ?? 0) || one - other);
  return { counts, symbols: Uint8Array.from(symbols) };
}

/** The symbol with the smallest weight above zero, of equal ones the last; -1 if there is none. */
function findSmallest(weights: readonly number[], except: number): number {
  let smallest = -1;
  for (const [symbol, weight] of weights.entries()) {
    if (weight === 0 || symbol === except) continue;
    if (smallest < 0 || weight <= (weights[smallest] ?? 0)) smallest = symbol;
  }
  return smallest;
}

/** How many codes have 1 to 16 bits, without the additional symbol (T.81, figure K.3). */
function limitLengths(lengths: readonly number[]): number[] {
  const counts = new Array<number>(Math.max(...lengths, maxLength) + 1).fill(0);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const change = (length: number, by: number) => {
    counts[length] = (counts[length] ?? 0) + by;
  };
  for (let length = counts.length - 1; length > maxLength; length--) {
    while ((counts[length] ?? 0) > 0) {
      let shorter = length - 2;
      while ((counts[shorter] ?? 0) === 0) shorter--;
      change(length, -2);
      change(length - 1, 1);
      change(shorter + 1, 2);
      change(shorter, -1);
    }
  }
  let longest = maxLength;
  while (longest > 0 && counts[longest] === 0) longest--;
  change(longest, -1);
  return counts.slice(1, maxLength + 1);
}
