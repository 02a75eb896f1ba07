import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

/** The installed package pdf.js. */
const folder = join(process.cwd(), "node_modules", "pdfjs-dist");

/** The files of the package that pages load in addition to the bundled scripts. */
const servedFile =
  /^(?:build\/pdf\.worker\.min\.mjs|(?:cmaps|iccs|standard_fonts|wasm)\/[\w-]+\.\w+)$/;

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  wasm: "application/wasm",
  ttf: "font/ttf",
};

/**
 * Serves `/pdfjs/{version}/…`. Browsers may cache the files forever, because the path has the
 * version.
 */
export const readPdfjsFile = defineEndpoint({
  method: "GET",
  path: "/pdfjs/{path+}",
  operationId: "readPdfjsFile",
  tag: "Account",
  summary: "Load a file of the PDF viewer.",
  internal: true,
  access: "public",
  params: z.strictObject({ path: z.string() }),
  responses: {
    200: { description: "The file.", content: { "*/*": { type: "string" } } },
  },
  errors: ["not_found"],
  async handler({ params }) {
    const path = params.path.slice(params.path.indexOf("/") + 1);
    const bytes = servedFile.test(path) ? await readIfExists(join(folder, path)) : undefined;
    if (!bytes) throw new RequestError("not_found", "There is no such file.");
    return new Response(new Uint8Array(bytes), {
      headers: {
        "Content-Type": types[path.split(".").at(-1) ?? ""] ?? "application/octet-stream",
        "Cache-Control": "public, max-age=31536000, immutable",
      },
    });
  },
});

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
