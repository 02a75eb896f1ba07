CREATE TABLE "device_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_code_hash" text NOT NULL,
	"name" text NOT NULL,
	"address" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"account_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_codes_userCodeHash_unique" UNIQUE("user_code_hash")
);
--> statement-breakpoint
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_codes_account_id_index" ON "device_codes" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "device_codes_expires_at_index" ON "device_codes" USING btree ("expires_at");