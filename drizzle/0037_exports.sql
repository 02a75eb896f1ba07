ALTER TABLE "jobs" ADD COLUMN "target" json;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "unexported" json;