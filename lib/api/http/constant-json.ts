import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { checkEntityTag } from "#lib/net/entity-tags.ts";

const compress = promisify(gzip);

/** A body in the forms in which it is sent. */
interface Encoded {
  readonly plain: Buffer<ArrayBuffer>;
  readonly gzip: Buffer;
  readonly etag: string;
}

/** For pages of all origins, which read it again after a minute. */
const openHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "public, max-age=60",
};

/**
 * Responds with JSON that stays the same for as long as the process runs. It is made, converted and compressed at the
 * first request: each costs more than everything else that such a request needs.
 */
export function constantJson(
  make: () => unknown,
  ownHeaders: Readonly<Record<string, string>> = openHeaders,
): (request: Request) => Promise<Response> {
  let encoded: Promise<Encoded> | undefined;
  return async ({ headers: given }) => {
    encoded ??= encode(make()).catch((error: unknown) => {
      encoded = undefined;
      throw error;
    });
    const { plain, gzip: compressed, etag } = await encoded;
    // Weak, because it is the same for a compressed body.
    const headers = { ...ownHeaders, "Content-Type": "application/json", ETag: `W/${etag}` };
    const isKnown = checkEntityTag((name) => given.get(name), etag) === "unchanged";
    if (isKnown) {
      // As the server does for a body.
      const known = { ...headers, Vary: "Accept-Encoding" };
      return new Response(null, { status: 304, headers: known });
    }
    const response = new Response(plain, { headers });
    compressedBodies.set(response, compressed);
    return response;
  };
}

/** By the response, because Next.js would compress a compressed body once more. */
const compressedBodies = new WeakMap<Response, Buffer>();

/** The body of the response as gzip, if it is kept. */
export function compressedBodyOf(response: Response): Buffer | undefined {
  return compressedBodies.get(response);
}

async function encode(value: unknown): Promise<Encoded> {
  const plain = Buffer.from(JSON.stringify(value));
  const etag = `"${hash("sha256", plain).slice(0, 32)}"`;
  return { plain, gzip: await compress(plain), etag };
}
