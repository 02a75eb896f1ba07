import { boolean, json, pgTable, text } from "drizzle-orm/pg-core";
import { allPlanNames } from "#lib/plans.ts";
import { timestampMs } from "./columns.ts";

/** What an account may do besides using the service: an operator sees and changes all accounts. */
export const accountRoles = ["user", "operator"] as const;
export type AccountRole = (typeof accountRoles)[number];

export const accounts = pgTable("accounts", {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  plan: text({ enum: allPlanNames }).notNull().default("free"),
  role: text({ enum: accountRoles }).notNull().default("user"),
  /**
   * The hash of the password by argon2id; null for an account that only signs in with a provider.
   */
  passwordHash: text(),
  /** The password was generated. The user must choose another one after sign-in. */
  mustSetPassword: boolean().notNull().default(false),
  /** The account was made on the sign-up page, and no one has opened the link in the email yet. */
  mustConfirmEmail: boolean().notNull().default(false),
  /** The secret that signs this account's webhooks, such as `whsec_…`. */
  webhookSecret: text().notNull(),
  /** The secret before the last rotation. Also signs until it expires. */
  previousWebhookSecret: text(),
  previousWebhookSecretExpiresAt: timestampMs(),
  /** The percents of the monthly quota at which the account gets an alert. */
  usageAlerts: json().$type<readonly number[]>().notNull().default([50, 75, 90, 100]),
  createdAt: timestampMs().notNull().defaultNow(),
  /** When an operator suspended the account. Its keys and sign-ins are refused until it is restored. */
  suspendedAt: timestampMs(),
  /** When the owner closed the account. No credential works, and the sweep deletes its data. */
  deletedAt: timestampMs(),
});
