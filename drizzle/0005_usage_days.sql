CREATE TABLE "usage_days" (
	"account_id" text NOT NULL,
	"day" date NOT NULL,
	"jobs" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"used_bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_days_account_id_day_pk" PRIMARY KEY("account_id","day")
);
--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "usage_days" ("account_id", "day", "jobs", "completed", "failed", "cancelled", "used_bytes")
SELECT
	"account_id",
	("created_at" AT TIME ZONE 'UTC')::date,
	count(*),
	count(*) FILTER (WHERE "status" = 'completed'),
	count(*) FILTER (WHERE "status" = 'failed'),
	count(*) FILTER (WHERE "status" = 'cancelled'),
	coalesce(sum(("input"->>'bytes')::bigint) FILTER (WHERE "status" = 'completed'), 0)
FROM "jobs"
GROUP BY 1, 2;
