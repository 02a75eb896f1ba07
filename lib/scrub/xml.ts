/**
 * Changes to XML that leave every other byte as it is. The files are well-formed or they would not
 * open: a `<` begins a tag, and an attribute's value is quoted.
 */

const tagPattern = /<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g;
const attributePattern = /(\s+)([\w.:-]+)(\s*=\s*)("[^"<]*"|'[^'<]*')/g;

/** Calls `change` for every attribute's name without its prefix; null drops it, undefined keeps it. */
export function changeAttributes(
  xml: string,
  change: (name: string) => string | null | undefined,
): string {
  return xml.replace(tagPattern, (tag) =>
    tag.replace(attributePattern, (whole, space: string, name: string, equals: string) => {
      const value = change(name.slice(name.indexOf(":") + 1));
      if (value === undefined) return whole;
      return value === null ? "" : `${space}${name}${equals}"${value}"`;
    }),
  );
}

/** Replaces the text of elements called `name`, whatever their prefix, that hold nothing but text. */
export function changeText(xml: string, name: string, text: string): string {
  const element = new RegExp(
    `(<((?:[\\w.-]+:)?${name})(?:\\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?>)[^<]*(</\\2\\s*>)`,
    "g",
  );
  return xml.replace(element, (_, open: string, __, close: string) => `${open}${text}${close}`);
}

/** Removes elements called `name` without children for which `unwanted` is true of their tag. */
export function dropElements(
  xml: string,
  name: string,
  unwanted: (tag: string) => boolean,
): string {
  const element = new RegExp(
    `<((?:[\\w.-]+:)?${name})\\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*(?:/>|(?<!/)>\\s*</\\1\\s*>)`,
    "g",
  );
  return xml.replace(element, (tag) => (unwanted(tag) ? "" : tag));
}

/** The value of attribute `name` of `tag`, without its prefix; entities of names are not expected. */
export function attributeOf(tag: string, name: string): string | undefined {
  for (const [, , found = "", , value = ""] of tag.matchAll(attributePattern)) {
    if (found.slice(found.indexOf(":") + 1) === name) return value.slice(1, -1);
  }
  return undefined;
}
