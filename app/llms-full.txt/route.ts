import { writeLlmsFull } from "#components/docs/as-markdown/llms-text.ts";

export const dynamic = "force-dynamic";

export function GET(): Response {
  return new Response(writeLlmsFull(), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=300",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
