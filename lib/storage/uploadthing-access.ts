import { UTApi, UTFile } from "uploadthing/server";
import { createToken } from "#lib/ids.ts";
import { streamFetch } from "#lib/net/stream-fetch.ts";
import type { UploadThingOptions } from "./uploadthing.ts";

/** What a store answers for a file that the request may not read. */
const deniedStatuses = [401, 403, 404];

/**
 * Whether anyone can read the files of an UploadThing app without a signature. Its API does not report it,
 * so this stores a file of one byte, reads it with a signature and without, and deletes it. Throws if that is
 * not possible.
 */
export async function hasPublicFiles(options: UploadThingOptions): Promise<boolean> {
  const api = new UTApi({ logLevel: "None", fetch: streamFetch, ...options });
  const customId = createToken();
  const file = new UTFile(["-"], "access-check", { customId, type: "application/octet-stream" });
  const { data, error } = await api.uploadFiles(file, { contentDisposition: "attachment" });
  if (error) throw new Error(`the store rejected the file: ${error.message}`, { cause: error });
  try {
    const { ufsUrl } = await api.generateSignedURL(data.key);
    const signed = await readStatus(ufsUrl);
    // Otherwise a rejection without the signature would prove nothing.
    if (signed !== 200) throw new Error(`the store responded with status ${signed}`);
    const unsigned = await readStatus(ufsUrl.replace(/\?.*/s, ""));
    if (unsigned !== 200 && !deniedStatuses.includes(unsigned)) {
      throw new Error(`the store responded with status ${unsigned} without a signature`);
    }
    return unsigned === 200;
  } finally {
    await api.deleteFiles([customId], { keyType: "customId" });
  }
}

async function readStatus(url: string): Promise<number> {
  const response = await streamFetch(url);
  await response.arrayBuffer();
  return response.status;
}
