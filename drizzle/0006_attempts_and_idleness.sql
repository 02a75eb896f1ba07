ALTER TABLE "webhook_deliveries" ALTER COLUMN "next_attempt_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "idle_awaited_until" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "webhook_deliveries" SET "next_attempt_at" = "created_at" WHERE "status" = 'pending' AND "next_attempt_at" IS NULL;
