import { packageFiles } from "#lib/api/endpoints/packages/client-packages.ts";
import type { ImageService } from "./service.ts";

/** What the site's map does not list. */
const others = [
  ...["", "/playground", "/jobs", "/keys", "/webhooks", "/usage", "/requests", "/settings"].map(
    (path) => `/dashboard${path}`,
  ),
  "/openapi.json",
  "/llms.txt",
  "/docs.md",
  "/opengraph-image.png",
  "/api/auth/providers",
  "/status.json",
  ...Object.values(packageFiles).map(({ name }) => `/packages/${name}`),
  "/packages/simple/mediamill/",
  "/pdfjs/5/build/pdf.worker.min.mjs",
];

/** Reads each page of the site and the dashboard, and the files that a page names. Returns their number. */
export async function checkPages(service: ImageService): Promise<number> {
  const map = await (await fetch(`${service.url}/sitemap.xml`)).text();
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = ""]) => new URL(address).pathname,
  );
  const home = await (await fetch(service.url)).text();
  const files = [
    ...home.matchAll(/(?:src|href)="(\/[^"#?]+\.(?:js|css|woff2|svg|png|webp))(?=["?])/g),
  ].map(([, path = ""]) => path);
  if (listed.length < 20 || files.length < 3) {
    throw new Error(`the site has ${listed.length} pages and ${files.length} files`);
  }
  const paths = [...new Set([...listed, ...files, ...others])];
  const wrong: string[] = [];
  for (const path of paths) {
    const { status, text } = await service.read(path);
    // A part of a page that failed after the page had begun.
    if (status !== 200 || text.includes("data-dgst=")) wrong.push(`${path}: ${status}`);
  }
  if (wrong.length > 0) throw new Error(`pages of the image:\n${wrong.join("\n")}`);
  const warnings = service
    .log()
    .split("\n")
    .filter((line) => /"level":[456]0|Error/.test(line));
  if (warnings.length > 0) throw new Error(`web warns:\n${warnings.join("\n")}`);
  return paths.length;
}
