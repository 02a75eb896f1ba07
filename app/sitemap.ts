import type { MetadataRoute } from "next";
import { docsPaths } from "#components/docs/paths.ts";
import { env } from "#lib/env.ts";

/** The sitemap is made per request, because it contains this installation's URL. */
export const dynamic = "force-dynamic";

/** Lists the public pages for `/sitemap.xml`. */
export default function sitemap(): MetadataRoute.Sitemap {
  return ["/", "/status", "/packages", ...docsPaths()].map((path) => ({
    url: new URL(path, env.APP_URL).href,
  }));
}
