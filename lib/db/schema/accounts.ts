import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import { planNames } from "#lib/plans.ts";
import { moment } from "./columns.ts";

export const accounts = pgTable("accounts", {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  plan: text({ enum: planNames }).notNull().default("free"),
  /** argon2id; null for an account that signs in by a provider only. */
  passwordHash: text(),
  /** The password was made for it; whoever signs in has to choose another before anything else. */
  mustSetPassword: boolean().notNull().default(false),
  /** `whsec_…`; signs this account's webhooks. */
  webhookSecret: text().notNull(),
  /** The secret before the last rotation; signs beside the current one until it expires. */
  previousWebhookSecret: text(),
  previousWebhookSecretExpiresAt: moment(),
  createdAt: moment().notNull().defaultNow(),
  /** Deleted by its owner: nothing opens it any more, and the sweep removes what is left of it. */
  deletedAt: moment(),
});
