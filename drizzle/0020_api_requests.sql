CREATE TABLE "api_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"api_key_id" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" smallint NOT NULL,
	"error_code" text,
	"error" text,
	"address" text,
	"duration_ms" integer NOT NULL,
	"job_id" text,
	"params" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_requests_account_id_id_index" ON "api_requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "api_requests_created_at_index" ON "api_requests" USING brin ("created_at");