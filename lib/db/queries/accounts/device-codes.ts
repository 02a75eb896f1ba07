import { and, eq, gt, lt, ne, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { deviceCodes } from "../../schema/credentials/device-codes.ts";

export type DeviceCode = typeof deviceCodes.$inferSelect;

/** How long a device code is valid. */
export const deviceCodeMinutes = 10;

const isValid = gt(deviceCodes.expiresAt, sql`now()`);

export async function insertDeviceCode(
  db: Queryable,
  values: Pick<DeviceCode, "hash" | "userCodeHash" | "name" | "address">,
): Promise<void> {
  const expiresAt = sql`now() + make_interval(mins => ${deviceCodeMinutes})`;
  await db.insert(deviceCodes).values({ ...values, expiresAt });
}

/** The valid code that no one has decided yet. */
export async function findPendingDevice(
  db: Queryable,
  userCodeHash: string,
): Promise<DeviceCode | undefined> {
  const rows = await db
    .select()
    .from(deviceCodes)
    .where(
      and(eq(deviceCodes.userCodeHash, userCodeHash), eq(deviceCodes.status, "pending"), isValid),
    );
  return rows[0];
}

/** Records a decision. Of concurrent ones, only one is made. False if the code is not valid any more. */
export async function decideDevice(
  db: Queryable,
  userCodeHash: string,
  values: Pick<DeviceCode, "accountId" | "status">,
): Promise<boolean> {
  const rows = await db
    .update(deviceCodes)
    .set(values)
    .where(
      and(eq(deviceCodes.userCodeHash, userCodeHash), eq(deviceCodes.status, "pending"), isValid),
    )
    .returning({ hash: deviceCodes.hash });
  return rows.length > 0;
}

/** Whether no device has used the code yet and it has not expired. */
export async function isDeviceCodeValid(db: Queryable, hash: string): Promise<boolean> {
  const rows = await db
    .select({ hash: deviceCodes.hash })
    .from(deviceCodes)
    .where(and(eq(deviceCodes.hash, hash), isValid));
  return rows.length > 0;
}

/** Deletes a decided code and returns it. Of concurrent calls, only one gets it. */
export async function takeDecidedDevice(
  db: Queryable,
  hash: string,
): Promise<DeviceCode | undefined> {
  const rows = await db
    .delete(deviceCodes)
    .where(and(eq(deviceCodes.hash, hash), ne(deviceCodes.status, "pending"), isValid))
    .returning();
  return rows[0];
}

/** Invalidates the codes that an account has decided and no device has used yet. */
export async function deleteDecidedDevices(db: Queryable, accountId: string): Promise<void> {
  await db.delete(deviceCodes).where(eq(deviceCodes.accountId, accountId));
}

export async function deleteExpiredDeviceCodes(db: Queryable): Promise<void> {
  await db.delete(deviceCodes).where(lt(deviceCodes.expiresAt, sql`now()`));
}
