import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installCommand, type PackageKey } from "#lib/api/endpoints/packages/client-packages.ts";
import { env } from "#lib/env.ts";
import { replaceRequests } from "./guide-requests.ts";
import { guideTables } from "./guide-tables.ts";

/** The guides in navigation order. Their files are `docs/guide/<slug>.md`, or `docs/<slug>.md` if they are also read in the repository. */
export const guideSlugs = [
  "quick-start",
  "authentication",
  "inputs",
  "jobs",
  "chains",
  "outputs",
  "connections",
  "templates",
  "images",
  "from-imgproxy",
  "webhooks",
  "sdk",
  "cli",
  "python",
  "mcp",
  "n8n",
  "gotenberg",
  "from-cloudconvert",
  "from-transloadit",
  "from-docling",
  "errors",
  "requests",
  "usage",
  "limits",
  "security",
  "self-hosting",
] as const;
export type GuideSlug = (typeof guideSlugs)[number];

export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** One line, shown under the title and in llms.txt. */
  readonly summary: string;
  /** Markdown with this installation's URL, and its commands that install packages. */
  readonly text: string;
}

const cache = new Map<string, Guide>();

/** The guide with this slug, or undefined. Each file is read once per process. */
export function readGuide(slug: string): Guide | undefined {
  if (!guideSlugs.some((known) => known === slug)) return undefined;
  const cached = cache.get(slug);
  if (cached) return cached;
  const docs = join(process.cwd(), "docs");
  const guidePath = join(docs, "guide", `${slug}.md`);
  const path = existsSync(guidePath) ? guidePath : join(docs, `${slug}.md`);
  const guide = parseGuide(slug, readFileSync(path, "utf8"));
  cache.set(slug, guide);
  return guide;
}

/** All guides, in order. */
export function readGuides(): Guide[] {
  return guideSlugs.flatMap((slug) => readGuide(slug) ?? []);
}

/**
 * The title and summary of a guide, as front matter or as the first heading and the first
 * paragraph.
 */
const frontMatter =
  /^(?:---\ntitle: (?<title>.+)\nsummary: (?<summary>.+)\n---|# (?<title>.+)\n\n(?<summary>.+))\n+/;

function parseGuide(slug: string, file: string): Guide {
  const { title, summary } = frontMatter.exec(file)?.groups ?? {};
  if (!title || !summary) throw new Error(`docs/guide/${slug}.md has no title and summary`);
  const text = replaceFileLinks(replaceRequests(file.replace(frontMatter, "")))
    .replace(/\{\{install (\w+)\}\}/g, (_, key: PackageKey) => installCommand(key, "{{baseUrl}}"))
    .replaceAll("{{baseUrl}}", env.APP_URL)
    .replace(/^\{\{(\w+)\}\}$/gm, (name, table) => guideTables[table]?.() ?? name);
  return { slug, title, summary, text };
}

/** Replaces links between files of `docs`. Of these, the site has only the guides: others are named. */
function replaceFileLinks(text: string): string {
  const fileLink = /\[([^\]]+)\]\(((?:[\w-]+\/)?([\w-]+)\.md)(#[\w-]+)?\)/g;
  return text.replace(fileLink, (_, label, path, slug, anchor = "") =>
    guideSlugs.some((known) => known === slug)
      ? `[${label}](${guideHref(slug)}${anchor})`
      : `${label} (\`docs/${path}\`)`,
  );
}

/** The path of a guide's page. The first guide is the home page of the docs. */
export function guideHref(slug: string): string {
  return slug === guideSlugs[0] ? "/docs" : `/docs/${slug}`;
}
