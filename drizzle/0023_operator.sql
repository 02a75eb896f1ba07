CREATE TABLE "operator_acts" (
	"id" text PRIMARY KEY NOT NULL,
	"actor" text NOT NULL,
	"actor_id" text,
	"action" text NOT NULL,
	"account_id" text,
	"account_email" text,
	"subject_id" text,
	"before" json,
	"after" json,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"engine" text NOT NULL,
	"result" text,
	"duration_ms" integer,
	"error_code" text,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_runs" (
	"id" smallint PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "role" text DEFAULT 'user' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "operator_acts_created_at_index" ON "operator_acts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "status_checks_engine_checked_at_index" ON "status_checks" USING btree ("engine","checked_at");--> statement-breakpoint
CREATE INDEX "status_checks_open" ON "status_checks" USING btree ("checked_at") WHERE result is null;--> statement-breakpoint
UPDATE "accounts" SET "role" = 'operator' WHERE "email" = 'admin@localhost';
