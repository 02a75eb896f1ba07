/** Text in HTML, XML and the markups that share their escapes, such as WebVTT and Pango's. */

/** Escapes the text of an element. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes text for HTML, also within double quotes. */
export function escapeHtml(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}

/** Escapes text for XML, also within double quotes, and leaves out the characters that XML cannot contain. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML forbids
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
  return escapeHtml(text.toWellFormed().replace(forbidden, ""));
}
