/** One line for each header, sorted. */
export function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join("\n");
}

/** Formats JSON for reading; other text stays. The signature is about the original. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // no JSON, or truncated
  }
}
