import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { listFilesBelow } from "#tests/support/list-below.ts";
import { isSignedUrl } from "./aws-signature.ts";

const bucket = "mediamill";
const secret = "S3RVER";

/** The parts of a page of a list; S3 has 1000. */
const pageParts = 2;

/** s3rver with one bucket, whose files are in `directory`. */
export async function openS3rver(bucket: string, directory: string): Promise<S3rver> {
  const s3rver = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  await s3rver.configureBuckets();
  return s3rver;
}

function noSuchUpload(response: ServerResponse): void {
  const xml =
    "<Error><Code>NoSuchUpload</Code><Message>The upload does not exist.</Message></Error>";
  response.writeHead(404, { "content-type": "application/xml" }).end(xml);
}

function preconditionFailed(response: ServerResponse): void {
  const xml = "<Error><Code>PreconditionFailed</Code><Message>It has changed.</Message></Error>";
  response.writeHead(412, { "content-type": "application/xml" }).end(xml);
}

/** The key of a file in a bucket, from its path. */
const keyOf = (path: string) => path.replace(/^\/?[^/]+\//, "");

export interface S3Server {
  /** Environment variables of the service for this store. */
  readonly variables: Record<string, string>;
  /** The `Range` of each request for a stored input; undefined for a whole one. */
  readonly inputReads: (string | undefined)[];
  /** Awaited before a file is copied. */
  beforeCopy: () => Promise<void>;
  /** Paths of all stored files, including parts of unfinished uploads. */
  listFiles(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Starts an S3-compatible store on loopback: s3rver, with additional support for three requests of
 * multipart uploads, for conditions, and for the check of signed URLs. `corsOrigin`: pages of this origin may upload
 * files, as by a CORS rule of the bucket.
 */
export async function startS3Server({
  corsOrigin,
}: {
  readonly corsOrigin?: string;
} = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "mediamill-s3-"));
  const s3rver = await openS3rver(bucket, directory);
  const handle = s3rver.callback();
  const inputReads: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://store");
    if (request.headers["x-amz-copy-source"]) await started.beforeCopy();
    if (await isRefused(request)) return preconditionFailed(response);
    if (request.method === "GET" && pathname.includes("/inputs/")) {
      inputReads.push(request.headers.range);
    }
    if (corsOrigin !== undefined && request.headers.origin === corsOrigin) {
      response.setHeader("access-control-allow-origin", corsOrigin);
      const allowed = {
        "access-control-allow-methods": "PUT",
        "access-control-allow-headers": "*",
      };
      if (request.method === "OPTIONS") return void response.writeHead(200, allowed).end();
    }
    const uploadId = searchParams.get("uploadId");
    if (uploadId && !existsSync(partsFolder(uploadId))) return noSuchUpload(response);
    if (uploadId && request.method === "DELETE") return void abort(uploadId, response);
    if (uploadId && request.method === "GET") {
      const marker = Number(searchParams.get("part-number-marker"));
      return void listParts(uploadId, marker, response);
    }
    if (uploadId && request.headers["x-amz-copy-source"]) {
      return void copyPart(request, response, uploadId, searchParams.get("partNumber") ?? "");
    }
    if (searchParams.has("X-Amz-Signature") && !isSignedUrl(request, secret)) {
      return void response.writeHead(403).end();
    }
    handle(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  /** Whether a request is only for another version of the file that it reads or copies. */
  async function isRefused({ headers, url = "" }: IncomingMessage): Promise<boolean> {
    const version = headers["if-match"] ?? headers["x-amz-copy-source-if-match"];
    if (version === undefined) return false;
    const { pathname } = new URL(String(headers["x-amz-copy-source"] ?? url), "http://store");
    const { etag } = await s3rver.store.getMetadata(bucket, keyOf(pathname));
    return etag !== version;
  }

  function partsFolder(uploadId: string): string {
    return join(s3rver.store.getResourcePath(bucket, undefined, "uploads"), uploadId);
  }

  async function abort(uploadId: string, response: ServerResponse): Promise<void> {
    await rm(partsFolder(uploadId), { recursive: true, maxRetries: 10 });
    response.writeHead(204).end();
  }

  /** Lists the parts after `marker`. As S3 does, every page names its last part, or 0. */
  async function listParts(uploadId: string, marker: number, response: ServerResponse) {
    const folder = partsFolder(uploadId);
    // A part has this file once all of it has arrived.
    const names = (await readdir(folder)).flatMap((name) => /^(\d+)\.md5$/.exec(name)?.[1] ?? []);
    const after = names.map(Number).filter((number) => number > marker);
    const numbers = after.toSorted((one, other) => one - other).slice(0, pageParts);
    const parts = numbers.map(async (number) => {
      const { size } = await stat(join(folder, String(number)));
      const md5 = await readFile(join(folder, `${number}.md5`), "utf8");
      return `<Part><PartNumber>${number}</PartNumber><ETag>"${md5}"</ETag><Size>${size}</Size></Part>`;
    });
    const isTruncated = numbers.length < after.length;
    const xml = `<ListPartsResult><NextPartNumberMarker>${numbers.at(-1) ?? 0}</NextPartNumberMarker><IsTruncated>${isTruncated}</IsTruncated>${(await Promise.all(parts)).join("")}</ListPartsResult>`;
    response.writeHead(200, { "content-type": "application/xml" }).end(xml);
  }

  async function copyPart(
    { headers }: IncomingMessage,
    response: ServerResponse,
    uploadId: string,
    part: string,
  ): Promise<void> {
    const key = keyOf(String(headers["x-amz-copy-source"]));
    const [, start, end] = /(\d+)-(\d+)/.exec(String(headers["x-amz-copy-source-range"])) ?? [];
    const range = { start: Number(start), end: Number(end) };
    const { content } = await s3rver.store.getObject(bucket, key, range);
    const { md5 } = await s3rver.store.putPart(bucket, uploadId, part, content);
    const xml = `<CopyPartResult><ETag>"${md5}"</ETag></CopyPartResult>`;
    response.writeHead(200, { "content-type": "application/xml" }).end(xml);
  }

  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  const started: S3Server = {
    inputReads,
    beforeCopy: async () => {},
    variables: {
      STORAGE: "s3",
      S3_BUCKET: bucket,
      S3_REGION: "us-east-1",
      S3_ENDPOINT: `http://127.0.0.1:${address.port}`,
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: secret,
    },
    listFiles: () => listFilesBelow(directory),
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  return started;
}
