/**
 * Changes to XML that leave all other bytes as they are. They assume well-formed files: a `<` begins
 * a tag, and the value of an attribute is quoted.
 */

const tagPattern = /<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g;
const attributePattern = /(?<!\s)(\s+)([\w.:-]+)(\s*=\s*)("[^"<]*"|'[^'<]*')/g;

/**
 * Sets every attribute to the value that `change` returns for its name without prefix. Null removes
 * the attribute, undefined keeps it.
 */
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

/** Replaces the text of elements called `name`, with any prefix, that contain only text. */
export function changeText(xml: string, name: string, text: string): string {
  const element = new RegExp(
    `(<((?:[\\w.-]+:)?${name})(?:\\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?>)[^<]*(</\\2\\s*>)`,
    "g",
  );
  return xml.replace(element, (_, open: string, __, close: string) => `${open}${text}${close}`);
}

/** Removes the childless elements called `name` for whose tag `shouldRemove` returns true. */
export function removeElements(
  xml: string,
  name: string,
  shouldRemove: (tag: string) => boolean,
): string {
  const element = new RegExp(
    `<((?:[\\w.-]+:)?${name})\\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*(?:/>|(?<!/)>\\s*</\\1\\s*>)`,
    "g",
  );
  return xml.replace(element, (tag) => (shouldRemove(tag) ? "" : tag));
}

/** The value of the attribute `name` of `tag`; prefixes are ignored, entities are not decoded. */
export function readAttribute(tag: string, name: string): string | undefined {
  for (const [, , found = "", , value = ""] of tag.matchAll(attributePattern)) {
    if (found.slice(found.indexOf(":") + 1) === name) return value.slice(1, -1);
  }
  return undefined;
}
