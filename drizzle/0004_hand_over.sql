ALTER TABLE "jobs" ALTER COLUMN "handed_over_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "handed_over_at" timestamp (3) with time zone DEFAULT now();