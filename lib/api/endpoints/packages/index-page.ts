import type { ResponseTable } from "../../definition/endpoint.ts";

export const indexResponses = {
  200: {
    description: "The page (PEP 503).",
    content: { "text/html": { type: "string" } },
    headers: ["ETag"],
  },
  304: { description: "The page has not changed.", headers: ["ETag"] },
} as const satisfies ResponseTable;

/** A page of the index for pip, and its headers. */
export function indexPage(links: readonly string[]) {
  const html = `<!DOCTYPE html>
<html>
<head><meta name="pypi:repository-version" content="1.0"><title>Packages</title></head>
<body>
${links.join("<br>\n")}
</body>
</html>
`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
  };
  return [new TextEncoder().encode(html), headers] as const;
}
