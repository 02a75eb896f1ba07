CREATE TABLE "usage_events" (
	"account_id" text NOT NULL,
	"day" date NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"outcome" text NOT NULL,
	"jobs" integer NOT NULL,
	"used_bytes" bigint DEFAULT 0 NOT NULL,
	"bucket" integer
);
--> statement-breakpoint
ALTER TABLE "usage_events" ADD CONSTRAINT "usage_events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;