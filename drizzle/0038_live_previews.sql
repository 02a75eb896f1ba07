CREATE UNLOGGED TABLE "live_previews" (
	"id" text PRIMARY KEY NOT NULL,
	"task" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"result" json
);
--> statement-breakpoint
CREATE INDEX "live_previews_created_at_index" ON "live_previews" USING btree ("created_at");