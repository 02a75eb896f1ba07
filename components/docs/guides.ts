import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "#lib/env.ts";

/** The guides in the order of the navigation: `docs/guide/<slug>.md`, or `docs/<slug>.md` for what is read in the repository, too. */
export const guideSlugs = [
  "quick-start",
  "authentication",
  "inputs",
  "jobs",
  "chains",
  "outputs",
  "webhooks",
  "errors",
  "limits",
  "security",
  "self-hosting",
] as const;
export type GuideSlug = (typeof guideSlugs)[number];

export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** Markdown, this installation's address filled in. */
  readonly text: string;
}

const opened = new Map<string, Guide>();

/** The guide called `slug`; undefined where there is none. Read once a process. */
export function readGuide(slug: string): Guide | undefined {
  if (!guideSlugs.some((known) => known === slug)) return undefined;
  const known = opened.get(slug);
  if (known) return known;
  const docs = join(process.cwd(), "docs");
  const own = join(docs, "guide", `${slug}.md`);
  const path = existsSync(own) ? own : join(docs, `${slug}.md`);
  const guide = parseGuide(slug, readFileSync(path, "utf8"));
  opened.set(slug, guide);
  return guide;
}

/** All guides, in order. */
export function readGuides(): Guide[] {
  return guideSlugs.flatMap((slug) => readGuide(slug) ?? []);
}

/** Title and summary: between dashes, or as the first heading and the first paragraph. */
const front =
  /^(?:---\ntitle: (?<title>.+)\nsummary: (?<summary>.+)\n---|# (?<title>.+)\n\n(?<summary>.+))\n+/;

function parseGuide(slug: string, file: string): Guide {
  const { title, summary } = front.exec(file)?.groups ?? {};
  if (!title || !summary) throw new Error(`docs/guide/${slug}.md has no title and summary`);
  const text = file.replace(front, "").replaceAll("{{baseUrl}}", env.APP_URL);
  return { slug, title, summary, text };
}

/** The address of a guide's page: the first one is the front page of the docs. */
export function guideHref(slug: string): string {
  return slug === guideSlugs[0] ? "/docs" : `/docs/${slug}`;
}
