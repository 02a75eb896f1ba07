import { JobError } from "#lib/errors.ts";
import type { FetchedFile, FileRequest, GuardedResponse } from "#lib/net/fetch.ts";
import type { Network } from "#lib/net/network.ts";
import { encodePath } from "./azure.ts";
import {
  confirmEarlier,
  fetchSigned,
  putToStore,
  type StoreMethod,
  sendToStore,
  withFirstByte,
} from "./http-store.ts";
import { refusalOf, requireStored, requireSuccess } from "./responses.ts";
import {
  type ListPage,
  type ListRequest,
  removeSent,
  type SignedRequest,
  type Store,
  type StoreContext,
  type StoredObject,
  StoreError,
  type StoreFile,
} from "./store.ts";
import { type FolderEntry, foldersOf, listTree, temporaryPath } from "./tree-list.ts";
import { childrenNamed, dateOf, decodeText, parseXml, sizeOf, textNamed } from "./xml.ts";

export interface WebdavAccess {
  /** The URL of the folder. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

const maxListBytes = 4 * 2 ** 20;
const maxErrorBytes = 16 * 1024;

const propertiesQuery =
  '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>';

/** For the properties of what the URL leads to, without what is in it. */
const itselfQuery = {
  headers: { depth: "0", "content-type": "application/xml" },
  body: propertiesQuery,
};

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** In place of the signal of the store. */
  readonly signal?: AbortSignal;
}

/** A folder of a WebDAV server, such as Nextcloud. A file is received under another name, then renamed. */
export class WebdavStore implements Store {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #network: Network;
  readonly #signal: AbortSignal;

  constructor({ url, username, password }: WebdavAccess, { network, signal }: StoreContext) {
    this.#base = url.replace(/\/+$/, "");
    const credentials = Buffer.from(`${username}:${password}`).toString("base64");
    this.#headers = { authorization: `Basic ${credentials}` };
    this.#network = network;
    this.#signal = signal;
  }

  readonly sign = async (path: string): Promise<SignedRequest> => ({
    url: this.#urlOf(path),
    headers: this.#headers,
  });

  async receive(path: string, request: Omit<FileRequest, "url" | "headers">): Promise<FetchedFile> {
    return fetchSigned(await this.sign(path), request, this.#network);
  }

  async findReadRefusal(path: string): Promise<StoreError | undefined> {
    const { headers } = withFirstByte(await this.sign(path));
    const refusal = refusalOf(await this.#send("GET", path, { headers }), "the file");
    if (refusal?.fault !== "missing") return refusal;
    const root = await this.#send("PROPFIND", "", itselfQuery);
    if (root.status !== 404) return refusal;
    return new StoreError(refusal.message, { isPermanent: true, fault: "no_bucket" });
  }

  async put(file: StoreFile): Promise<StoredObject> {
    const { path, bytes, contentType, open, signal, onProgress } = file;
    for (const folder of foldersOf(path)) {
      const made = await this.#send("MKCOL", `${folder}/`);
      // 405: it exists. 409 and 301 may mean so, too; otherwise the next request fails.
      if (![405, 409, 301].includes(made.status)) requireSuccess(made, "to create a folder");
    }
    const temporary = temporaryPath(path, file.attemptName);
    const headers = { ...this.#headers, "Content-Type": contentType };
    const put = { url: this.#urlOf(temporary), headers, bytes, open, signal, onProgress };
    let hasResponded = false;
    try {
      // An ETag of WebDAV is no checksum, even if it looks like one.
      const sent = await putToStore(put, this.#network);
      hasResponded = true;
      requireStored({ ...sent, etag: null });
      if ((await this.#sizeOf(temporary)) !== bytes) {
        throw new JobError("export_failed", "The store has other bytes than those that were sent.");
      }
      return await this.#move(temporary, file);
    } catch (error) {
      // The signal of a request that was stopped would stop this, too.
      await removeSent((removing) => this.#remove(temporary, removing), { hasResponded });
      throw error;
    }
  }

  async #move(temporary: string, file: StoreFile): Promise<StoredObject> {
    const { path, overwrite } = file;
    const moved = await this.#send("MOVE", temporary, {
      headers: { destination: this.#urlOf(path), overwrite: overwrite ? "T" : "F" },
    });
    if (moved.status === 412) {
      const earlier = await confirmEarlier(this, file);
      await this.remove(temporary);
      return earlier;
    }
    requireSuccess(moved, "to rename the file");
    return { etag: null };
  }

  remove(path: string): Promise<void> {
    return this.#remove(path, this.#signal);
  }

  async #remove(path: string, signal: AbortSignal): Promise<void> {
    const response = await this.#send("DELETE", path, { signal });
    if (response.status !== 404) requireSuccess(response, "to delete the file");
  }

  list(request: ListRequest): Promise<ListPage> {
    return listTree(request, (folder) => this.#readFolder(folder));
  }

  async close(): Promise<void> {}

  async #readFolder(folder: string): Promise<FolderEntry[]> {
    const path = folder === "" ? "" : `${folder}/`;
    const headers = { depth: "1", "content-type": "application/xml" };
    const response = await this.#send("PROPFIND", path, { headers, body: propertiesQuery });
    if (response.status === 404) return [];
    requireSuccess(response, "the list of files");
    return readEntries(response.bodyStart, this.#base).filter(
      ({ path: found }) => found !== folder && found !== "",
    );
  }

  /** The size of a file; undefined if there is none. */
  async #sizeOf(path: string): Promise<number | undefined> {
    const response = await this.#send("PROPFIND", path, itselfQuery);
    if (response.status === 404) return undefined;
    requireSuccess(response, "to look at the file");
    const found = readEntries(response.bodyStart, this.#base).find((one) => one.path === path);
    return found?.kind === "file" ? found.bytes : undefined;
  }

  #urlOf(path: string): string {
    return `${this.#base}/${encodePath(path)}`;
  }

  #send(
    method: StoreMethod,
    path: string,
    { headers = {}, body, signal = this.#signal }: RequestOptions = {},
  ): Promise<GuardedResponse> {
    const request = {
      url: this.#urlOf(path),
      headers: { ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body }),
    };
    const maxBytes = method === "PROPFIND" ? maxListBytes : maxErrorBytes;
    return sendToStore(method, request, { maxBytes, network: this.#network, signal });
  }
}

/** The entries of a response to PROPFIND below the URL of the connection. */
function readEntries(body: string, base: string): FolderEntry[] {
  const basePath = decodeText(new URL(`${base}/`).pathname);
  return childrenNamed(parseXml(body), "response").flatMap((row): FolderEntry[] => {
    const href = URL.parse(textNamed(row, "href") ?? "", base);
    const whole = href ? decodeText(href.pathname) : "";
    if (!whole.startsWith(basePath)) return [];
    const path = whole.slice(basePath.length).replace(/\/$/, "");
    const properties = childrenNamed(row, "propstat").flatMap((one) => childrenNamed(one, "prop"));
    const read = (name: string) =>
      properties.map((one) => textNamed(one, name)).find((text) => text !== undefined);
    const types = properties.flatMap((one) => childrenNamed(one, "resourcetype"));
    if (types.some((type) => childrenNamed(type, "collection").length > 0)) {
      return [{ kind: "folder", path }];
    }
    return [
      {
        kind: "file",
        path,
        bytes: sizeOf(read("getcontentlength")),
        modifiedAt: dateOf(read("getlastmodified")),
        etag: read("getetag")?.replace(/^(?:W\/)?"(.*)"$/, "$1") ?? null,
      },
    ];
  });
}
