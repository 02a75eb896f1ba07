import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import { allPlanNames } from "#lib/plans.ts";
import { timestampMs } from "./columns.ts";

export const accounts = pgTable("accounts", {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  plan: text({ enum: allPlanNames }).notNull().default("free"),
  /** argon2id; null for an account that only signs in with a provider. */
  passwordHash: text(),
  /** The password was generated. The user must choose another one after sign-in. */
  mustSetPassword: boolean().notNull().default(false),
  /** `whsec_…`. Signs this account's webhooks. */
  webhookSecret: text().notNull(),
  /** The secret before the last rotation. Also signs until it expires. */
  previousWebhookSecret: text(),
  previousWebhookSecretExpiresAt: timestampMs(),
  createdAt: timestampMs().notNull().defaultNow(),
  /** When the owner closed the account. No credential works, and the sweep deletes its data. */
  deletedAt: timestampMs(),
});
