ALTER TABLE "jobs" ADD COLUMN "secrets" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "warnings" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_by_end" ON "jobs" USING btree ("account_id","completed_at") WHERE completed_at is not null;