ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "act_allowed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "code_hash" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "code_expires_at" timestamp (3) with time zone;