CREATE TABLE "webhook_requests" (
	"delivery_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"headers" jsonb NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "webhook_requests_delivery_id_at_pk" PRIMARY KEY("delivery_id","at")
);
--> statement-breakpoint
DROP INDEX "webhook_deliveries_account_id_created_at_index";--> statement-breakpoint
DROP INDEX "jobs_account_id_created_at_id_index";--> statement-breakpoint
DROP INDEX "sessions_account_id_last_seen_at_index";--> statement-breakpoint
ALTER TABLE "usage_days" DROP CONSTRAINT "usage_days_account_id_day_pk";--> statement-breakpoint
TRUNCATE "usage_days";--> statement-breakpoint
ALTER TABLE "usage_days" ADD COLUMN "operation" text NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_account_id_day_operation_pk" PRIMARY KEY("account_id","day","operation");--> statement-breakpoint
ALTER TABLE "webhook_requests" ADD CONSTRAINT "webhook_requests_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_requests_at_index" ON "webhook_requests" USING btree ("at");--> statement-breakpoint
CREATE INDEX "jobs_account_id_operation_created_at_id_index" ON "jobs" USING btree ("account_id","operation","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_by_status" ON "jobs" USING btree ("account_id","status","created_at","id") WHERE status <> 'completed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account_id_created_at_id_index" ON "webhook_deliveries" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account_id_status_created_at_id_index" ON "webhook_deliveries" USING btree ("account_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_account_id_created_at_id_index" ON "jobs" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_account_id_last_seen_at_index" ON "sessions" USING btree ("account_id","last_seen_at");--> statement-breakpoint
INSERT INTO "usage_days" ("account_id", "day", "operation", "jobs", "completed", "failed", "cancelled", "used_bytes")
SELECT
	"account_id",
	("created_at" AT TIME ZONE 'UTC')::date,
	"operation",
	count(*),
	count(*) FILTER (WHERE "status" = 'completed'),
	count(*) FILTER (WHERE "status" = 'failed'),
	count(*) FILTER (WHERE "status" = 'cancelled'),
	coalesce(sum(("input"->>'bytes')::bigint) FILTER (WHERE "status" = 'completed'), 0)
FROM "jobs"
GROUP BY 1, 2, 3;
