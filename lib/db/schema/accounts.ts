import { pgTable, text } from "drizzle-orm/pg-core";
import { planNames } from "#lib/quotas/plans.ts";
import { moment } from "./columns.ts";

export const accounts = pgTable("accounts", {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  plan: text({ enum: planNames }).notNull().default("free"),
  /** argon2id; null for an account that signs in by a provider only. */
  passwordHash: text(),
  /** `whsec_…`; signs this account's webhooks. */
  webhookSecret: text().notNull(),
  /** The secret before the last rotation; signs beside the current one until it expires. */
  previousWebhookSecret: text(),
  previousWebhookSecretExpiresAt: moment(),
  createdAt: moment().notNull().defaultNow(),
});
