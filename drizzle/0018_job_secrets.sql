ALTER TABLE "jobs" ADD COLUMN "secrets" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "warnings" json DEFAULT '[]'::json NOT NULL;