import { expect, inject, it } from "vitest";
import { guideHref, guideSlugs } from "#components/docs/guides.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

const { url: service } = inject("service");

const pages = [
  "/",
  ...guideSlugs.map(guideHref),
  "/docs/image",
  ...operations.map(({ id }) => `/docs/${id}`),
];

const request = (path: string, init?: RequestInit) => fetch(new URL(path, service), init);

async function readText(path: string): Promise<string> {
  const response = await request(path);
  expect(response.status, path).toBe(200);
  return response.text();
}

/** Calls `work` with each of `all`, three at a time: other tests use the service, too. */
async function forEach<One>(all: Iterable<One>, work: (one: One) => Promise<void>): Promise<void> {
  const rest = Iterator.from(all);
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: 3 }, worker));
}

/** What the pages link to, by the page that has the link, and the anchors of each page. */
async function readLinks() {
  const anchors = new Map<string, ReadonlySet<string>>();
  const links = new Map<string, string>();
  const matches = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, value]) => value ?? "");
  const readPage = async (path: string) => {
    const text = await readText(path);
    anchors.set(path, new Set(matches(text, / id="([^"]*)"/g)));
    return text;
  };
  await forEach(pages, async (path) => {
    const text = await readPage(path);
    expect(text.match(/<h1[ >]/g), path).toHaveLength(1);
    for (const link of matches(text, / href="(\/[^"]*)"/g)) links.set(link, path);
  });
  return { anchors, links, readPage };
}

it("every internal link and anchor of the site exists", { timeout: 300_000 }, async () => {
  const { anchors, links, readPage } = await readLinks();
  expect(links.size).toBeGreaterThan(pages.length);
  const targets = Map.groupBy(links, ([link]) => link.split("#", 1)[0] ?? "");
  await forEach(targets, async ([target, found]) => {
    const wanted = found.filter(([link]) => link.includes("#"));
    if (wanted.length > 0 && !anchors.has(target)) await readPage(target);
    if (!anchors.has(target)) {
      const { status } = await request(target, { method: "HEAD" });
      expect(status, `${target}, a link of ${found[0]?.[1]}`).toBe(200);
    }
    for (const [link, page] of wanted) {
      const isThere = anchors.get(target)?.has(link.slice(target.length + 1));
      expect(isThere, `${link}, a link of ${page}`).toBe(true);
    }
  });
});

it("llms.txt and llms-full.txt list every operation", async () => {
  const index = await readText("/llms.txt");
  const full = await readText("/llms-full.txt");
  for (const { id } of operations) {
    expect(index).toContain(`/docs/${id}`);
    expect(full).toContain(`## POST /v1/${id}`);
  }
  for (const client of ["@mediamill/sdk", "@mediamill/cli", "/docs/python", "/docs/mcp", "n8n"]) {
    expect(index).toContain(client);
  }
});

it("the sitemap lists every page, with its canonical URL and its Markdown", async () => {
  const sitemap = await readText("/sitemap.xml");
  for (const path of [...pages, "/status", "/packages"]) {
    expect(sitemap).toContain(`<loc>${new URL(path, service).href}</loc>`);
  }
  for (const path of ["/docs", "/docs/limits", "/docs/image", "/docs/image/crop"]) {
    const html = await readText(path);
    expect(html).toContain(`<link rel="canonical" href="${service}${path}"/>`);
    const markdown = await request(`${path}.md`);
    expect(markdown.headers.get("content-type")).toContain("text/markdown");
    expect(await markdown.text(), path).toMatch(/^# \w/);
  }
  expect((await request("/docs/image/none.md")).status).toBe(404);
});
