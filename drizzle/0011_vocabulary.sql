ALTER TABLE "arriving_inputs" RENAME TO "staged_uploads";--> statement-breakpoint
ALTER TABLE "staged_uploads" RENAME CONSTRAINT "arriving_inputs_pkey" TO "staged_uploads_pkey";--> statement-breakpoint
ALTER INDEX "arriving_inputs_created_at_index" RENAME TO "staged_uploads_created_at_index";--> statement-breakpoint
ALTER TABLE "account_turns" RENAME COLUMN "last_at" TO "last_turn_at";--> statement-breakpoint
ALTER TABLE "attempt_limits" RENAME COLUMN "clear_at" TO "resets_at";--> statement-breakpoint
ALTER INDEX "attempt_limits_clear_at_index" RENAME TO "attempt_limits_resets_at_index";--> statement-breakpoint
ALTER TABLE "runners" RENAME COLUMN "seen_at" TO "last_heartbeat_at";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" RENAME COLUMN "attempts_in_round" TO "attempts_since_send";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" RENAME COLUMN "handed_over_at" TO "enqueued_at";--> statement-breakpoint
ALTER TABLE "jobs" RENAME COLUMN "handed_over_at" TO "enqueued_at";--> statement-breakpoint
ALTER TABLE "jobs" RENAME COLUMN "idle_awaited_until" TO "runner_drains_until";--> statement-breakpoint
ALTER TABLE "jobs" RENAME COLUMN "engine_at" TO "engine_started_at";--> statement-breakpoint
ALTER TABLE "jobs" RENAME COLUMN "storing_at" TO "engine_ended_at";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "plan" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "stage" text;--> statement-breakpoint
-- The JSON is edited as text: `jsonb` would change the order of the parts. A quote inside a JSON
-- string is escaped, so the pattern matches only the field itself.
UPDATE "jobs" SET
	"plan" = CASE "priority" WHEN 3 THEN 'enterprise' WHEN 2 THEN 'business' WHEN 1 THEN 'pro' ELSE 'free' END,
	"stage" = CASE WHEN "needs_fetch" THEN 'fetch' ELSE 'run' END,
	"source" = regexp_replace("source"::text, '"kind"\s*:\s*"upload"', '"kind":"stored"', 'g')::json,
	"parts" = regexp_replace("parts"::text, '"kind"\s*:\s*"upload"', '"kind":"stored"', 'g')::json;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "plan" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "stage" SET NOT NULL;--> statement-breakpoint
DROP INDEX "jobs_claimable";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "priority";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "needs_fetch";--> statement-breakpoint
CREATE INDEX "jobs_claimable" ON "jobs" USING btree ("stage","created_at") WHERE status in ('pending', 'processing') and lease_token is null;--> statement-breakpoint
UPDATE "metric_totals" SET "labels" = replace(replace("labels", '"reason":"worn"', '"reason":"max_uses"'), '"reason":"doubt"', '"reason":"unhealthy"')
WHERE "name" = 'mediamill_engine_restarts_total';
