CREATE TABLE "account_turns" (
	"account_id" text NOT NULL,
	"stage" text NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_turns_account_id_stage_pk" PRIMARY KEY("account_id","stage")
);
--> statement-breakpoint
ALTER TABLE "account_turns" ADD CONSTRAINT "account_turns_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;