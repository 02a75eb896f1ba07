CREATE TABLE "arriving_inputs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "arriving_inputs_created_at_index" ON "arriving_inputs" USING btree ("created_at");