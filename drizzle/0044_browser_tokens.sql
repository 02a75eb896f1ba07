CREATE TABLE "browser_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"hash" text NOT NULL,
	"operations" text[] NOT NULL,
	"max_bytes" bigint,
	"max_jobs" integer NOT NULL,
	"jobs" integer DEFAULT 0 NOT NULL,
	"origin" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "browser_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "token_id" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "max_file_bytes" bigint;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "token_id" text;--> statement-breakpoint
ALTER TABLE "browser_tokens" ADD CONSTRAINT "browser_tokens_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "browser_tokens" ADD CONSTRAINT "browser_tokens_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "browser_tokens_account_id_index" ON "browser_tokens" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "browser_tokens_api_key_id_index" ON "browser_tokens" USING btree ("api_key_id");--> statement-breakpoint
CREATE INDEX "browser_tokens_expires_at_index" ON "browser_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "browser_tokens_origin_expires_at_index" ON "browser_tokens" USING btree ("origin","expires_at");