/**
 * Fields, objects and lists in JSON of a client, at most. Node.js takes half a second to parse 1 MiB of short
 * fields with different names. A list of 1,000 objects with 18 fields each is allowed.
 */
export const maxJsonEntries = 20_000;

/** Counts the fields, objects and lists in JSON without parsing it; of other text, the count means nothing. */
export function countJsonEntries(json: string): number {
  return countMarks(json, [colon, brace, bracket]);
}

/** An upper bound of the values in JSON, the elements of lists included, for readers that make an object of each. */
export function countJsonValues(json: string): number {
  return countMarks(json, [comma, brace, bracket]) + 1;
}

/** Counts the characters outside of texts that are one of `marks`. */
function countMarks(json: string, marks: readonly (number | undefined)[]): number {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (isInText) {
      if (character === backslash) at++;
      else if (character === quote) isInText = false;
    } else if (character === quote) {
      isInText = true;
    } else if (marks.includes(character)) {
      count++;
    }
  }
  return count;
}

const [quote, backslash, colon, comma, brace, bracket] = Array.from('"\\:,{[', (one) =>
  one.charCodeAt(0),
);
