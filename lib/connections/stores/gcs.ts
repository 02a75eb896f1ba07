import { sign } from "node:crypto";
import { Storage } from "@google-cloud/storage";
import type { Signer } from "./http-store.ts";
import { parseS3List } from "./s3.ts";
import { type SignedRequest, StoreError, signedSeconds } from "./store.ts";

export interface GcsAccess {
  readonly bucket: string;
  readonly clientEmail: string;
  /** As PEM. */
  readonly privateKey: string;
  /** The address of a store other than Google's. */
  readonly endpoint?: string | undefined;
}

/** Signs the requests for a bucket of Google Cloud Storage by a service account's key. Nothing is sent here. */
export function createGcsSigner(access: GcsAccess): Signer {
  const storage = new Storage({ projectId: "unused" });
  // An option for that would make the library wrap it, and print a warning.
  Object.assign(storage, { authClient: localAuth(access) });
  const bucket = storage.bucket(access.bucket);
  const host = access.endpoint === undefined ? {} : { host: access.endpoint };
  const common = () => ({
    version: "v4" as const,
    expires: Date.now() + signedSeconds * 1000,
    ...host,
  });
  const file = async (
    path: string,
    action: "read" | "write" | "delete",
    headers: Record<string, string> = {},
  ): Promise<SignedRequest> => {
    const { "Content-Type": contentType, ...extensionHeaders } = headers;
    const [url] = await bucket
      .file(path)
      .getSignedUrl({
        ...common(),
        action,
        ...(contentType === undefined ? {} : { contentType }),
        extensionHeaders,
      })
      .catch(toStoreError);
    return { url, headers };
  };
  return {
    maxPutBytes: 5 * 1024 ** 4,
    get: (path) => file(path, "read"),
    put: (path, { contentType, overwrite }) =>
      file(path, "write", {
        "Content-Type": contentType,
        // Generation 0: the file must not exist.
        ...(overwrite ? {} : { "x-goog-if-generation-match": "0" }),
      }),
    delete: (path) => file(path, "delete"),
    async list({ prefix, cursor, limit, isFlat }) {
      const queryParams = {
        "list-type": "2",
        prefix,
        "max-keys": String(limit),
        ...(isFlat ? { delimiter: "/" } : {}),
        ...(cursor ? { "continuation-token": cursor } : {}),
      };
      const [url] = await bucket
        .getSignedUrl({ ...common(), action: "list", queryParams })
        .catch(toStoreError);
      return { url, headers: {} };
    },
    parseList: parseS3List,
  };
}

/** What the library signs with: only the key, so that it loads no credentials and sends nothing. */
function localAuth({ clientEmail, privateKey }: GcsAccess) {
  return {
    getCredentials: async () => ({ client_email: clientEmail }),
    sign: async (text: string) =>
      sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64"),
  };
}

function toStoreError(cause: unknown): never {
  const message =
    "The service account's private key cannot sign requests. Send the key file again.";
  throw new StoreError(message, { isPermanent: true, cause });
}
