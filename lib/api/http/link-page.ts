import type { RequestErrorCode } from "#lib/errors.ts";
import type { RequestContext } from "../definition/endpoint.ts";

/** Whether a person waits for the response: a browser follows a link to a file, and shows what it gets. */
export function isFollowedLink({ request, url }: Pick<RequestContext, "request" | "url">): boolean {
  const accepted = request.headers.get("accept") ?? "";
  return (
    request.method === "GET" &&
    /^\/(?:files|uploads)\//.test(url.pathname) &&
    /(?:^|,)\s*text\/html\b/i.test(accepted)
  );
}

/** The headers of the page. */
export const linkPageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  Vary: "Accept",
};

interface PageText {
  readonly title: string;
  readonly text: string;
  /** What someone can do who was sent the link. */
  readonly received?: string;
  /** What the owner of the file can do: the link to the job, and what it is for. */
  readonly own?: readonly [link: string, purpose: string];
}

const uploadText: PageText = {
  title: "This link takes a file",
  text: "A program sends a file to it, once. There is nothing to see or to download here.",
};

const unavailableText: PageText = {
  title: "This file cannot be read now",
  text: "The service is briefly unavailable. Load this page again in a minute.",
};

const texts: Readonly<Partial<Record<RequestErrorCode, PageText>>> = {
  forbidden: {
    title: "This link no longer works",
    text: "It led to a file that someone made with Mediamill. Such a link works for a limited time, and only if it is complete.",
    received: "Ask the person who sent it for a new link.",
    own: ["Sign in and open the job", "to get a new link."],
  },
  gone: {
    title: "This file is no longer kept",
    text: "It was made with Mediamill. Files are deleted after some time, or by the person who made them.",
    received: "Ask the person who sent the link for the file.",
    own: ["Sign in and open the job", "to make the file again."],
  },
  conflict: {
    title: "This file is not ready",
    text: "The job that makes it has not been completed. Load this page again later.",
    own: ["Sign in and open the job", "to see its progress."],
  },
  not_found: {
    title: "There is no file at this link",
    text: "Check that the link is complete: part of it may have been lost when it was copied.",
    received: "Ask the person who sent it for a new link.",
  },
};

/** What is wrong with a link, for people. Has no script, and nothing of the URL but the ID of the job. */
export function linkPage(code: RequestErrorCode, pathname: string): string {
  const isUpload = pathname.startsWith("/uploads/");
  const { title, text, received, own } = isUpload ? uploadText : (texts[code] ?? unavailableText);
  const [job] = /(?<=^\/files\/)job_[0-9A-Za-z]{24}(?=\/)/.exec(pathname) ?? [];
  const mine = own && job && `<a href="/dashboard/jobs/${job}">${own[0]}</a> ${own[1]}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title} – Mediamill</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; background: light-dark(#fbfaf7, #121310); color: light-dark(#1c1c17, #f0efe9) }
  body { max-width: 36rem; margin: 5rem auto; padding: 0 1.5rem }
  p:first-child a { font-weight: 600; color: inherit; text-decoration: none }
  h1 { margin: 3rem 0 1rem; font-size: 1.875rem; line-height: 1.2; letter-spacing: -0.02em }
  dl { margin-top: 2rem; border-top: 1px solid light-dark(#dcd9cf, #33342d) }
  dt { margin-top: 1.25rem; font-weight: 600 }
  dd { margin: 0.25rem 0 0 }
  a { color: light-dark(#a33b14, #ff9a6b); text-underline-offset: 4px }
</style>
<body>
<p><a href="/">Mediamill</a></p>
<main>
<h1>${title}</h1>
<p>${text}</p>
${received || mine ? `<dl>${answer("Did someone send you the link?", received)}${answer("Is it your file?", mine)}</dl>` : ""}
</main>
</body>
</html>
`;
}

const answer = (question: string, text: string | undefined) =>
  text ? `<dt>${question}</dt><dd>${text}</dd>` : "";
