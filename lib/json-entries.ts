/**
 * Fields, objects and lists in JSON of a client, at most. Node.js takes half a second to parse 1 MiB of short
 * fields with different names. A list of 1,000 objects with 18 fields each is allowed.
 */
export const maxJsonEntries = 20_000;

/** Counts the fields, objects and lists in JSON without parsing it; of other text, the count means nothing. */
export function countJsonEntries(json: string): number {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (isInText) {
      if (character === backslash) at++;
      else if (character === quote) isInText = false;
    } else if (character === quote) {
      isInText = true;
    } else if (character === colon || character === brace || character === bracket) {
      count++;
    }
  }
  return count;
}

const [quote, backslash, colon, brace, bracket] = Array.from('"\\:{[', (one) => one.charCodeAt(0));
