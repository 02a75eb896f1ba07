CREATE TABLE "usage_alerts" (
	"account_id" text NOT NULL,
	"period" text NOT NULL,
	"threshold" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"mail" text NOT NULL,
	"mail_attempts" smallint DEFAULT 0 NOT NULL,
	"mail_retry_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"dismissed_at" timestamp (3) with time zone,
	CONSTRAINT "usage_alerts_account_id_period_threshold_pk" PRIMARY KEY("account_id","period","threshold")
);
--> statement-breakpoint
CREATE TABLE "usage_groups" (
	"account_id" text NOT NULL,
	"day" date NOT NULL,
	"dimension" text NOT NULL,
	"value" text NOT NULL,
	"outcome" text NOT NULL,
	"jobs" integer DEFAULT 0 NOT NULL,
	"used_bytes" bigint DEFAULT 0 NOT NULL,
	"durations" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "usage_groups_account_id_dimension_day_value_outcome_pk" PRIMARY KEY("account_id","dimension","day","value","outcome")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "usage_alerts" json DEFAULT '[50,75,90,100]'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_alerts" ADD CONSTRAINT "usage_alerts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_groups" ADD CONSTRAINT "usage_groups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_alerts_due" ON "usage_alerts" USING btree ("mail_retry_at") WHERE mail = 'pending';--> statement-breakpoint
CREATE INDEX "usage_period_index" ON "usage" USING btree ("period");--> statement-breakpoint
INSERT INTO "usage_groups" ("account_id", "dimension", "day", "value", "outcome", "jobs")
SELECT "account_id", "dimension", ("created_at" AT TIME ZONE 'UTC')::date, "value", 'accepted', count(*)
FROM "jobs", LATERAL (VALUES ('key', coalesce("api_key_id", '')), ('operation', "operation")) AS "groups" ("dimension", "value")
GROUP BY 1, 2, 3, 4;--> statement-breakpoint
WITH "ended" AS (
	SELECT
		"account_id",
		"dimension",
		("created_at" AT TIME ZONE 'UTC')::date AS "day",
		"value",
		CASE "status" WHEN 'failed' THEN coalesce("error_code", 'internal') ELSE "status" END AS "outcome",
		least(499, floor(ln(greatest(1, extract(epoch FROM "completed_at" - "created_at") * 1000)::float8) / ln(1.05::float8)))::int AS "bucket",
		CASE WHEN "status" = 'completed' THEN coalesce(("input"->>'bytes')::bigint, 0) ELSE 0 END AS "bytes"
	FROM "jobs", LATERAL (VALUES ('key', coalesce("api_key_id", '')), ('operation', "operation")) AS "groups" ("dimension", "value")
	WHERE "completed_at" IS NOT NULL
), "buckets" AS (
	SELECT "account_id", "dimension", "day", "value", "outcome", "bucket", count(*) AS "jobs", sum("bytes") AS "bytes"
	FROM "ended"
	GROUP BY 1, 2, 3, 4, 5, 6
), "counted" AS (
	SELECT "account_id", "dimension", "day", "value", "outcome", min("bucket") AS "first", max("bucket") AS "last",
		sum("jobs") AS "jobs", sum("bytes") AS "bytes", json_object_agg("bucket", "jobs") AS "counts"
	FROM "buckets"
	GROUP BY 1, 2, 3, 4, 5
)
INSERT INTO "usage_groups" ("account_id", "dimension", "day", "value", "outcome", "jobs", "used_bytes", "durations")
SELECT "account_id", "dimension", "day", "value", "outcome", "jobs", "bytes",
	('[' || "first" || ':' || "last" || ']={' || (
		SELECT string_agg(coalesce("counts"->>"bucket"::text, 'NULL'), ',' ORDER BY "bucket")
		FROM generate_series("first", "last") AS "bucket"
	) || '}')::integer[]
FROM "counted";
