import { pageRequestHeaders } from "#lib/engines/chromium/page/credentials.ts";
import type { InputRequest } from "../../definition.ts";
import { type CredentialParams, toCredentials } from "./credentials.ts";

/** The headers of the request for a page that is given by URL. */
export function pageInputHeaders(
  params: CredentialParams,
  { url, requested, isTrusted }: InputRequest,
): Record<string, string> {
  return pageRequestHeaders(toCredentials(params), url, requested, isTrusted);
}
