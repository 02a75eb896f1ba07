import {
  BlobSASPermissions,
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import type { Signer } from "./http-store.ts";
import { type ListPage, signedSeconds } from "./store.ts";
import { childrenNamed, dateOf, parseXml, sizeOf, textNamed } from "./xml.ts";

export interface AzureAccess {
  readonly account: string;
  readonly container: string;
  /** One of the two keys of the storage account, in Base64. */
  readonly accountKey: string;
  /** The address of the account's blobs, if it is not Azure's. */
  readonly endpoint?: string | undefined;
}

/** Clocks differ: a signature is valid from this time before now on. */
const startsEarlierMs = 5 * 60_000;

/** Signs the requests for a container of Azure Blob Storage. Nothing is sent here. */
export function createAzureSigner(access: AzureAccess): Signer {
  const { account, container, accountKey } = access;
  const base = access.endpoint ?? `https://${account}.blob.core.windows.net`;
  const credential = new StorageSharedKeyCredential(account, accountKey);
  const valid = () => ({
    startsOn: new Date(Date.now() - startsEarlierMs),
    expiresOn: new Date(Date.now() + signedSeconds * 1000),
  });
  const root = `${base.replace(/\/+$/, "")}/${container}`;
  const blob = async (path: string, permissions: string, headers = {}) => {
    const values = {
      containerName: container,
      blobName: path,
      permissions: BlobSASPermissions.parse(permissions),
      ...valid(),
    };
    const query = generateBlobSASQueryParameters(values, credential);
    return { url: `${root}/${encodePath(path)}?${query}`, headers };
  };
  return {
    maxPutBytes: 5000 * 1024 ** 2,
    get: (path) => blob(path, "r"),
    put: (path, { contentType, overwrite }) =>
      blob(path, "cw", {
        "x-ms-blob-type": "BlockBlob",
        "Content-Type": contentType,
        ...(overwrite ? {} : { "If-None-Match": "*" }),
      }),
    delete: (path) => blob(path, "d"),
    async list({ prefix, cursor, limit, isFlat }) {
      const permissions = ContainerSASPermissions.parse("l");
      const values = { containerName: container, permissions, ...valid() };
      const query = generateBlobSASQueryParameters(values, credential);
      const request = new URLSearchParams({
        restype: "container",
        comp: "list",
        prefix,
        maxresults: String(limit),
        ...(isFlat ? { delimiter: "/" } : {}),
        ...(cursor ? { marker: cursor } : {}),
      });
      return { url: `${root}?${request}&${query}`, headers: {} };
    },
    parseList: parseAzureList,
  };
}

/** A path as a part of a URL, its slashes kept. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function parseAzureList(body: string): ListPage {
  const root = parseXml(body.replace(/^\uFEFF/, ""));
  const blobs = childrenNamed(root, "Blobs");
  const folders = blobs.flatMap((one) => childrenNamed(one, "BlobPrefix"));
  const files = blobs
    .flatMap((one) => childrenNamed(one, "Blob"))
    .map((row) => {
      const [properties = row] = childrenNamed(row, "Properties");
      const md5 = textNamed(properties, "Content-MD5");
      return {
        path: textNamed(row, "Name") ?? "",
        bytes: sizeOf(textNamed(properties, "Content-Length")),
        modifiedAt: dateOf(textNamed(properties, "Last-Modified")),
        etag: textNamed(properties, "Etag") ?? null,
        ...(md5 ? { md5: Buffer.from(md5, "base64").toString("hex") } : {}),
      };
    });
  return {
    files,
    folders: folders.map((row) => textNamed(row, "Name") ?? ""),
    nextCursor: textNamed(root, "NextMarker") || null,
  };
}
