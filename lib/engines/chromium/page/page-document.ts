import type { PageAssets } from "./assets.ts";

/** The URL of a page that was uploaded; `.invalid` never resolves (RFC 2606). */
export const uploadUrl = "http://upload.invalid/";

/** The HTML document of a page, with the URL at which the browser displays it. */
export interface PageDocument {
  /** http or https; relative resources resolve against it. */
  readonly url: string;
  /** The URL before redirects, if it was another one. */
  readonly requestedUrl?: string | undefined;
  readonly body: Buffer;
  readonly contentType: string;
  /** Its own files, which are loaded without the network. Only for a page at `uploadUrl`. */
  readonly assets?: PageAssets | undefined;
}
