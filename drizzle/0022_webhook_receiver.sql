CREATE TABLE "received_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"headers" json NOT NULL,
	"body" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"is_exact" boolean NOT NULL,
	"event" text,
	"signature_fault" text,
	"response_status" smallint NOT NULL,
	"address" text,
	"delivery_id" text
);
--> statement-breakpoint
CREATE TABLE "webhook_contents" (
	"delivery_id" text PRIMARY KEY NOT NULL,
	"webhook_id" text,
	"content_type" text NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_receivers" (
	"account_id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"response_status" smallint DEFAULT 200 NOT NULL,
	"delay_seconds" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_receivers_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "received_requests" ADD CONSTRAINT "received_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_contents" ADD CONSTRAINT "webhook_contents_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_receivers" ADD CONSTRAINT "webhook_receivers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "received_requests_account_id_id_index" ON "received_requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "received_requests_at_index" ON "received_requests" USING brin ("at");