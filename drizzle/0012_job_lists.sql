DROP INDEX "jobs_by_status";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "api_key_id" text;--> statement-breakpoint
CREATE INDEX "jobs_account_id_status_created_at_id_index" ON "jobs" USING btree ("account_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_by_error_code" ON "jobs" USING btree ("account_id","error_code","created_at","id") WHERE error_code is not null;--> statement-breakpoint
CREATE INDEX "jobs_by_api_key" ON "jobs" USING btree ("api_key_id","created_at","id") WHERE api_key_id is not null;