import { randomBytes } from "node:crypto";
import { db } from "#lib/db/client.ts";
import {
  deleteImageKey,
  findImageKey,
  insertImageKey,
  listImageKeys,
} from "#lib/db/queries/images/image-keys.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import type { PlanName } from "#lib/plans.ts";
import { seal, unseal } from "#lib/service-secret.ts";
import { type SigningPair, signPath } from "../imgproxy/signature.ts";
import { forgetRemembered } from "./remembered.ts";

/** Pairs of key and salt that sign the URLs of an account's pictures. */

/** For what the keys and salts are encrypted. */
export const imageKeyPurpose = "image keys";

const secretBytes = 32;
const maxPairs = 100;

export interface NewPair {
  readonly id: string;
  /** Both in hex. They are not shown again. */
  readonly key: string;
  readonly salt: string;
}

/** Creates a pair. Throws `RequestError` `conflict` if the account has too many. */
export async function createPair(
  accountId: string,
  { unsigned }: { readonly unsigned: boolean },
): Promise<NewPair> {
  const id = createId("ik");
  const key = randomBytes(secretBytes).toString("hex");
  const salt = randomBytes(secretBytes).toString("hex");
  const secrets = seal({ purpose: imageKeyPurpose, id }, `${key}:${salt}`);
  if (!(await insertImageKey(db(), { id, accountId, secrets, unsigned }, maxPairs))) {
    throw new RequestError(
      "conflict",
      `An account has at most ${maxPairs} keys. Delete one first.`,
    );
  }
  return { id, key, salt };
}

export interface PairSummary {
  readonly id: string;
  readonly unsigned: boolean;
  readonly createdAt: Date;
}

/** An account's pairs without their secrets, newest first. */
export async function listPairs(accountId: string): Promise<PairSummary[]> {
  const rows = await listImageKeys(db(), accountId);
  return rows.map(({ id, unsigned, createdAt }) => ({ id, unsigned, createdAt }));
}

/** Deletes a pair; its URLs are rejected from then on. False if there is none with this id. */
export async function deletePair(accountId: string, id: string): Promise<boolean> {
  const isDeleted = await deleteImageKey(db(), accountId, id);
  // Other processes are notified. That would be later than the response here.
  forgetRemembered();
  return isDeleted;
}

/** The signature of a path by a pair of the account. Undefined if there is none with this id. */
export async function signForAccount(
  accountId: string,
  id: string,
  path: string,
): Promise<string | undefined> {
  const owner = await readOwner(id);
  const [pair] = owner?.accountId === accountId ? owner.pairs : [];
  return pair && signPath(pair, path);
}

/** For whom pictures are made, and what signs their URLs. */
export interface PictureOwner {
  readonly accountId: string;
  readonly plan: PlanName;
  readonly pairs: readonly SigningPair[];
  /** The keys as text, which thumbor's clients sign with. */
  readonly thumborKeys: readonly string[];
  /** Whether URLs without a signature are answered: those with `unsafe` in its place, or with any text. */
  readonly unsigned: boolean | "any";
}

/** The owner of a pair. Undefined if there is none, or its account is suspended or closed. */
export async function readOwner(pairId: string): Promise<PictureOwner | undefined> {
  const row = await findImageKey(db(), pairId);
  if (!row) return undefined;
  const [key = "", salt = ""] = unseal({ purpose: imageKeyPurpose, id: row.id }, row.secrets).split(
    ":",
  );
  return {
    accountId: row.accountId,
    plan: row.plan,
    pairs: [{ key: Buffer.from(key, "hex"), salt: Buffer.from(salt, "hex") }],
    thumborKeys: [key],
    unsigned: row.unsigned,
  };
}
