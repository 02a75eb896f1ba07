import type { SignedQuery } from "#lib/jobs/view/links.ts";

/** The query of a signed link, if it is exactly as the service wrote it. */
export function readSignature({ search }: URL): SignedQuery {
  const [, expires = null, signature = null] =
    /^\?expires=(\d{1,12})&signature=([0-9a-f]{64})$/.exec(search) ?? [];
  return { expires, signature };
}
