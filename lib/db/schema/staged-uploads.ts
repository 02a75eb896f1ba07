import { index, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/** Jobs whose files are being stored before there is a job: what is to be removed should there never be one. */
export const arrivingInputs = pgTable(
  "arriving_inputs",
  {
    /** Of the job that is to be. */
    jobId: text().primaryKey(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [index().on(table.createdAt)],
);
