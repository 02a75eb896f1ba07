import { pageMarkdown } from "#components/docs/as-markdown/page-markdown.ts";

interface RouteContext {
  readonly params: Promise<{ readonly path?: readonly string[] }>;
}

/** A page of the docs as Markdown: `/docs/jobs.md` is rewritten to this route (`next.config.ts`). */
export async function GET(_request: Request, { params }: RouteContext): Promise<Response> {
  const { path = [] } = await params;
  const text = pageMarkdown(path.join("/"));
  return new Response(text === undefined ? "Not found\n" : `${text}\n`, {
    status: text === undefined ? 404 : 200,
    headers: {
      "Content-Type": `text/${text === undefined ? "plain" : "markdown"}; charset=utf-8`,
      "X-Content-Type-Options": "nosniff",
    },
  });
}
