/** White space as HTML shows it. */
export function collapse(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, " ");
}
