import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RequestError } from "#lib/errors.ts";
import type { RequestContext } from "./http/route.ts";

/** pdf.js, as the package manager laid it down. */
const folder = join(process.cwd(), "node_modules", "pdfjs-dist");

/** Everything of it that a page may ask for, beside what is built into our scripts. */
const served = /^(?:build\/pdf\.worker\.min\.mjs|(?:cmaps|iccs|standard_fonts|wasm)\/[\w-]+\.\w+)$/;

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  wasm: "application/wasm",
  ttf: "font/ttf",
};

/**
 * `GET /pdfjs/{version}/…`: the worker and the data of pdf.js, from our own host. The version in the
 * path lets browsers keep them.
 */
export async function answerPdfAsset({ params }: RequestContext): Promise<Response> {
  const [, ...rest] = (params.path ?? "").split("/");
  const path = rest.join("/");
  const bytes = served.test(path) ? await readFile(join(folder, path)).catch(absent) : undefined;
  if (!bytes) throw new RequestError("not_found", "There is no such file.");
  return new Response(bytes, {
    headers: {
      "Content-Type": types[path.split(".").at(-1) ?? ""] ?? "application/octet-stream",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
