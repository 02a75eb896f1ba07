import { cache } from "react";
import { findShare } from "#lib/jobs/actions/share.ts";
import { type SharedResult, serializeSharedResult } from "#lib/jobs/view/shared-result.ts";

/** The result that is shared with this token, or undefined. Queried once per request. */
export const readShare = cache(async (token: string): Promise<SharedResult | undefined> => {
  const found = await findShare(token);
  return found && serializeSharedResult(found.share, found.job);
});
