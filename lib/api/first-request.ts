/**
 * A request that works when pasted into a POSIX shell and makes a PDF: the page comes from stdin, so
 * that no file is needed. `url` is the service's, without a slash at the end.
 */
export function firstRequest(url: string, apiKey: string): string {
  return [
    "printf '<h1>Hello</h1>' |",
    `curl -sS -H 'X-API-Key: ${apiKey}' -H 'Prefer: wait=30'`,
    `-F 'file=@-;filename=hello.html;type=text/html' ${url}/v1/document/html-to-pdf`,
  ].join(" ");
}
