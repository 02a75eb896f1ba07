ALTER TABLE "jobs" ADD COLUMN "trace_context" json;--> statement-breakpoint
ALTER TABLE "metric_totals" ADD COLUMN "exemplar" json;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "trace_context" json;