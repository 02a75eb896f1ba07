import { authenticateKey } from "#lib/auth/api-keys.ts";
import { env } from "#lib/env.ts";
import type { PictureOwner } from "./pairs.ts";
import { remember } from "./remembered.ts";

/**
 * The owner of the pictures on `IMGPROXY_PORT`: the account of `IMGPROXY_API_KEY`, whose URLs are signed
 * with `IMGPROXY_KEY` and `IMGPROXY_SALT`. Without these, as with imgproxy, URLs are not checked.
 * Undefined if the API key is not valid.
 */
export function readImgproxyOwner(): Promise<PictureOwner | undefined> {
  return read(env.IMGPROXY_API_KEY ?? "");
}

const read = remember(async (apiKey): Promise<PictureOwner | undefined> => {
  const found = await authenticateKey(apiKey);
  if (!found) return undefined;
  const { id: accountId, plan, suspendedAt, deletedAt } = found.account;
  if (suspendedAt || deletedAt) return undefined;
  const pairs = env.IMGPROXY_KEY.map((key, index) => ({
    key: Buffer.from(key, "hex"),
    salt: Buffer.from(env.IMGPROXY_SALT[index] ?? "", "hex"),
  }));
  const unsigned = pairs.length === 0 ? "any" : false;
  return { accountId, plan, pairs, thumborKeys: [], unsigned };
});
