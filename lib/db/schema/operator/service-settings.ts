import { pgTable, smallint, text } from "drizzle-orm/pg-core";
import { planNames } from "#lib/plans.ts";

/** The table whose one row has the settings that operators change in the console. Null: as the environment says. */
export const serviceSettings = pgTable("service_settings", {
  id: smallint().primaryKey(),
  /** The plan of accounts that are created without one. */
  newAccountPlan: text({ enum: planNames }),
});
