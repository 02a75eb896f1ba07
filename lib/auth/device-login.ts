import { createHash, randomBytes, randomInt } from "node:crypto";
import { db, transaction } from "#lib/db/client.ts";
import { countActiveKeys } from "#lib/db/queries/accounts/api-keys.ts";
import {
  decideDevice,
  findPendingDevice,
  insertDeviceCode,
  isDeviceCodeValid,
  takeDecidedDevice,
} from "#lib/db/queries/accounts/device-codes.ts";
import { createApiKey, maxActiveKeys, type NewApiKey } from "./api-keys.ts";

/** How long the key of a device is valid. */
export const deviceKeyDays = 90;

/**
 * The alphabet of user codes. It has no vowels, so that no words appear, and no characters that
 * look alike. There are 20⁸ codes.
 */
const userCodeAlphabet = "BCDFGHJKLMNPQRSTVWXZ";
const userCodeLength = 8;

export interface DeviceCodes {
  /** The device keeps it and gets the key with it. 256 bits. */
  readonly deviceCode: string;
  /** A code such as `BCDF-GHJK`, which the user enters or compares. */
  readonly userCode: string;
}

/** Starts the sign-in of a device. Only hashes of the codes are stored. */
export async function startDeviceLogin(device: {
  readonly name: string;
  readonly address: string | undefined;
}): Promise<DeviceCodes> {
  const deviceCode = randomBytes(32).toString("base64url");
  const letters = Array.from(
    { length: userCodeLength },
    () => userCodeAlphabet[randomInt(userCodeAlphabet.length)],
  );
  const userCode = letters.join("").replace(/(.{4})/, "$1-");
  await insertDeviceCode(db(), {
    hash: hashCode(deviceCode),
    userCodeHash: hashCode(normalizeUserCode(userCode)),
    name: device.name,
    address: device.address ?? null,
  });
  return { deviceCode, userCode };
}

/** A device that waits for a decision. */
export interface PendingDevice {
  readonly name: string;
  readonly address: string | null;
  readonly createdAt: Date;
}

/** The device with this user code. Undefined if the code is wrong, expired or used. */
export function findDevice(userCode: string): Promise<PendingDevice | undefined> {
  return findPendingDevice(db(), hashCode(normalizeUserCode(userCode)));
}

/** Approves or refuses a device for an account. */
export async function decideDeviceLogin(
  userCode: string,
  accountId: string,
  status: "approved" | "refused",
): Promise<"decided" | "invalid" | "too many keys"> {
  const isFull = (await countActiveKeys(db(), accountId)) >= maxActiveKeys;
  if (status === "approved" && isFull) return "too many keys";
  const hash = hashCode(normalizeUserCode(userCode));
  return (await decideDevice(db(), hash, { accountId, status })) ? "decided" : "invalid";
}

export type DeviceResult =
  | { readonly status: "pending" | "refused" | "invalid" }
  | (NewApiKey & {
      readonly status: "approved";
      readonly accountId: string;
      readonly name: string;
      readonly expiresAt: Date;
    });

/** The key of an approved device. A code gives one key: afterwards it is invalid, as it is when refused. */
export async function redeemDeviceCode(deviceCode: string): Promise<DeviceResult> {
  const hash = hashCode(deviceCode);
  return transaction(async (tx) => {
    const decided = await takeDecidedDevice(tx, hash);
    // Pending as well if it was decided after the first query: the next request gets the decision.
    if (!decided) return { status: (await isDeviceCodeValid(tx, hash)) ? "pending" : "invalid" };
    const { accountId, name, status } = decided;
    if (status !== "approved" || !accountId) return { status: "refused" };
    const expiresAt = new Date(Date.now() + deviceKeyDays * 86_400_000);
    const key = await createApiKey(accountId, { name, environment: "development", expiresAt }, tx);
    return { ...key, status: "approved", accountId, name, expiresAt };
  });
}

function normalizeUserCode(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z]/g, "");
}

function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
