import { readRegular } from "#lib/files/regular-files.ts";

/** The files that a page loads by relative URLs, such as its style sheets: local paths by name. */
export type PageAssets = ReadonlyMap<string, string>;

/** The types that browsers do not accept without a declaration, or would show in another way. */
const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    css: "text/css; charset=utf-8",
    html: "text/html; charset=utf-8",
    js: "text/javascript; charset=utf-8",
    json: "application/json",
    mjs: "text/javascript; charset=utf-8",
    svg: "image/svg+xml",
    txt: "text/plain; charset=utf-8",
    xml: "application/xml",
  }),
);

/** What a request for a file of the page gets. */
export interface AssetResponse {
  readonly status: 200 | 404;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The response for `url`, which is below `base`. */
export async function readAsset(
  assets: PageAssets,
  url: string,
  base: string,
): Promise<AssetResponse> {
  const path = assets.get(nameOf(url, base) ?? "");
  if (path === undefined) {
    return { status: 404, contentType: "text/plain", body: Buffer.from("Not Found") };
  }
  const extension = /\.(\w+)$/.exec(nameOf(url, base) ?? "")?.[1]?.toLowerCase() ?? "";
  // Browsers detect images and fonts by their content.
  const contentType = types.get(extension) ?? "application/octet-stream";
  return { status: 200, contentType, body: await readRegular(path) };
}

function nameOf(url: string, base: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(new URL(base).pathname.length));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
