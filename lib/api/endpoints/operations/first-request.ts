/**
 * A curl command that creates a PDF. It works when pasted into a POSIX shell and needs no file: the
 * page comes from stdin. `url` is the URL of the service without a slash at the end.
 */
export function firstRequest(url: string, apiKey: string): string {
  return [
    "printf '<h1>Hello</h1>' |",
    `curl -sS -H 'X-API-Key: ${apiKey}' -H 'Prefer: wait=30'`,
    `-F 'file=@-;filename=hello.html;type=text/html' ${url}/v1/document/html-to-pdf`,
  ].join(" ");
}
