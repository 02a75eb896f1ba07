/**
 * Texts of a repeated unit. A regular expression that can divide such a text in many ways takes quadratic or
 * exponential time for it.
 */

/** Every printable ASCII character, white space, and one of more than one byte. */
const characters = [
  ...Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index)),
  ..."\t\n\ré",
];

/** Pieces of the syntaxes that parameters and files have. */
const pieces = [
  "(01)a",
  "(1",
  "1)",
  "a1",
  "1a",
  "1,",
  "1-",
  "1.",
  "1:",
  "1 ",
  "1 , ",
  "-1-",
  "1/1,",
  "0x",
  ": 1x1 ",
  "a.",
  "a-",
  "a/",
  "a@",
  "a=",
  "a:b;",
  "a, ",
  " a",
  "a ",
  "; ",
  " ;",
  ";a",
  "::",
  "--",
  "..",
  ". ",
  "%20",
  "&a;",
  "\\a",
  '\\"',
  '""',
  "''",
  '"a"',
  "'a'",
  '="',
  "='",
  "{{",
  "{#",
  "{ ",
  "}{",
  "[a",
  "[[",
  "<a",
  "<a ",
  "</",
  "/>",
  "<!--",
  "-->",
  "<?",
  "<!doctype a>",
  "<!doctype a[",
  "<![CDATA[",
  "]]>",
  "\n\n",
  "\r\n",
  "\n ",
  " \n",
  ";\n",
  "; \n",
  ";\n\n",
  "\n1\n",
  "999\n0\n",
  "--\n",
  "a:\n",
  "00:00:",
  "-->\n",
];

export const units: readonly string[] = [...characters, ...pieces];

/** What comes before the repeated units, such as the start of a number or of a tag. */
const prefixes = ["", "a", "1", "{", "[", "<", '"', "/", "-"];

/** Characters that most patterns reject, so that every way to divide the text is tried. */
const suffixes = ["", "é", "\0", "!"];

/** Repeats a text; `length` is the approximate number of characters. */
export function repeat(unit: string, length: number, prefix = "", suffix = ""): string {
  const count = Math.floor((length - prefix.length - suffix.length) / unit.length);
  return `${prefix}${unit.repeat(Math.max(0, count))}${suffix}`;
}

/** Units that numbers, times, lists and JSON have. */
const numericUnits = ["0", "1.", "1,", "1:", "1 ", "-", " ", "[", "{", '"', "a", "\n"];

/** Every unit, or a few for a form of many fields, with the suffix that most patterns reject. */
export function listShortTexts(length: number, isForm: boolean): string[] {
  return (isForm ? numericUnits : units).map((unit) => repeat(unit, length, "", "é"));
}

/** Every unit, and every pair of a unit and a character, with every prefix and suffix. */
export function* listAllTexts(length: number): Generator<string> {
  const pairs = units.flatMap((unit) => characters.map((character) => unit + character));
  for (const unit of [...units, ...pairs])
    for (const prefix of prefixes)
      for (const suffix of suffixes) yield repeat(unit, length, prefix, suffix);
}
