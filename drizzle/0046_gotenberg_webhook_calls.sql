CREATE TABLE "gotenberg_webhook_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"request" text NOT NULL,
	"state" text NOT NULL,
	"holder" text NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	"holders" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gotenberg_webhook_calls" ADD CONSTRAINT "gotenberg_webhook_calls_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gotenberg_webhook_calls_held_until_index" ON "gotenberg_webhook_calls" USING btree ("held_until");