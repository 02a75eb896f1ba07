import { hash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { RequestError } from "#lib/errors.ts";
import { bodyLengthHeader, hasFile } from "../../http/send-file.ts";
import { type PackageFile, packageFiles, packageVersion } from "./client-packages.ts";

/** Where the build writes the packages. */
const folder = join(process.cwd(), "packages", "dist");

const files: readonly PackageFile[] = Object.values(packageFiles);

/** The package file with this name, with or without the version. */
export function findPackageFile(name: string): PackageFile {
  const found = files.find((one) => one.name === name || one.file === name);
  if (found) return found;
  const text = `There is no package of this name. This service has, of version ${packageVersion}: ${files.map((one) => one.name).join(", ")}.`;
  throw new RequestError("not_found", text);
}

export async function readPackageFile({ file }: PackageFile): Promise<Buffer> {
  return orMissing(readFile(join(folder, file)));
}

/** The size of each package file in bytes, by its name; undefined if it is not built. */
export async function measurePackageFiles(): Promise<ReadonlyMap<string, number | undefined>> {
  const sizes = files.map(async ({ file, name }) => {
    const found = await stat(join(folder, file)).catch(() => undefined);
    return [name, found?.size] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** A response that caches may keep, and must ask for again: a version can be built again with other content. */
export function sendRevalidated(
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Response {
  const etag = `"${hash("sha256", bytes).slice(0, 32)}"`;
  const known = hasFile(request, etag);
  const all = { "Cache-Control": "public, no-cache", ETag: etag, ...headers };
  if (known) return new Response(null, { status: 304, headers: all });
  return new Response(bytes, { headers: { ...all, [bodyLengthHeader]: String(bytes.length) } });
}

/** `npm run dev` builds no packages. */
async function orMissing<Result>(found: Promise<Result>): Promise<Result> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const text = "This service has no packages yet. `npm run packages` builds them.";
    throw new RequestError("not_found", text, { cause: error });
  }
}
