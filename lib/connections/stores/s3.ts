import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Signer } from "./http-store.ts";
import { type ListPage, signedSeconds } from "./store.ts";
import { childrenNamed, dateOf, decodeText, parseXml, sizeOf, textNamed } from "./xml.ts";

export interface S3Access {
  readonly bucket: string;
  readonly region: string;
  /** The address of a store other than Amazon S3. */
  readonly endpoint?: string | undefined;
  readonly credentials: () => Promise<S3Credentials>;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Of a session: a client asks for new ones before. */
  readonly expiration?: Date;
}

/** Signs the requests for a bucket of S3, or of a compatible store. Nothing is sent here. */
export function createS3Signer({ bucket, region, endpoint, credentials }: S3Access): Signer {
  const client = new S3Client({
    region,
    credentials,
    // Other stores may not have a host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    disableS3ExpressSessionAuth: true,
    // Only signatures are made: what the client would send must not leave the guard.
    requestHandler: { handle: () => Promise.reject(new Error("the client sends nothing")) },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const expiry = { expiresIn: signedSeconds };
  const at = (path: string) => ({ Bucket: bucket, Key: path });
  return {
    maxPutBytes: 5 * 1024 ** 3,
    get: async (path) => ({
      url: await getSignedUrl(client, new GetObjectCommand(at(path)), expiry),
      headers: {},
    }),
    put: async (path, { contentType, overwrite }) => ({
      url: await getSignedUrl(client, new PutObjectCommand(at(path)), expiry),
      headers: {
        "Content-Type": contentType,
        ...(overwrite ? {} : { "If-None-Match": "*" }),
      },
    }),
    multipart: {
      create: async (path, { contentType }) => {
        const command = new CreateMultipartUploadCommand({ ...at(path), ContentType: contentType });
        const signableHeaders = new Set(["content-type"]);
        const url = await getSignedUrl(client, command, { ...expiry, signableHeaders });
        return { url, headers: { "Content-Type": contentType } };
      },
      part: async (path, UploadId, PartNumber) => ({
        url: await getSignedUrl(
          client,
          new UploadPartCommand({ ...at(path), UploadId, PartNumber }),
          expiry,
        ),
        headers: {},
      }),
      complete: async (path, UploadId, { overwrite }) => ({
        url: await getSignedUrl(
          client,
          new CompleteMultipartUploadCommand({ ...at(path), UploadId }),
          expiry,
        ),
        headers: {
          "Content-Type": "application/xml",
          ...(overwrite ? {} : { "If-None-Match": "*" }),
        },
      }),
      abort: async (path, UploadId) => ({
        url: await getSignedUrl(
          client,
          new AbortMultipartUploadCommand({ ...at(path), UploadId }),
          expiry,
        ),
        headers: {},
      }),
    },
    delete: async (path) => ({
      url: await getSignedUrl(client, new DeleteObjectCommand(at(path)), expiry),
      headers: {},
    }),
    async list({ prefix, cursor, limit, isFlat }) {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        MaxKeys: limit,
        EncodingType: "url",
        ...(isFlat ? { Delimiter: "/" } : {}),
        ...(cursor ? { ContinuationToken: cursor } : {}),
      });
      return { url: await getSignedUrl(client, command, expiry), headers: {} };
    },
    parseList: parseS3List,
  };
}

/** Reads a list of S3, and of Google Cloud Storage. */
export function parseS3List(body: string): ListPage {
  const root = parseXml(body);
  const isEncoded = textNamed(root, "EncodingType") === "url";
  const decode = (key = "") => (isEncoded ? decodeText(key.replaceAll("+", " ")) : key);
  const prefixes = childrenNamed(root, "CommonPrefixes");
  const files = childrenNamed(root, "Contents").map((row) => {
    const etag = textNamed(row, "ETag")?.replaceAll('"', "") ?? null;
    return {
      path: decode(textNamed(row, "Key")),
      bytes: sizeOf(textNamed(row, "Size")),
      modifiedAt: dateOf(textNamed(row, "LastModified")),
      etag,
      // A file that was stored at once has its MD5 as ETag.
      ...(etag && /^[0-9a-f]{32}$/i.test(etag) ? { md5: etag.toLowerCase() } : {}),
    };
  });
  // An object whose name ends with a slash stands for a folder.
  const isFile = ({ path }: { readonly path: string }) => !path.endsWith("/");
  return {
    files: files.filter(isFile),
    folders: prefixes.map((row) => decode(textNamed(row, "Prefix"))),
    nextCursor: textNamed(root, "NextContinuationToken") ?? null,
  };
}
