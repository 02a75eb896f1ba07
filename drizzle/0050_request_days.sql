-- All of it changes only the catalog, so that its locks last for milliseconds. A statement of a service that waits for
-- them finds the new table by its name. The lock of "accounts" is that of the foreign key.
SET LOCAL lock_timeout = '500ms';--> statement-breakpoint
LOCK TABLE "api_requests", "accounts" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "api_requests" RENAME TO "api_requests_before";--> statement-breakpoint
ALTER INDEX "api_requests_account_id_id_index" RENAME TO "api_requests_before_account_id_id_index";--> statement-breakpoint
ALTER INDEX "api_requests_created_at_index" RENAME TO "api_requests_before_created_at_index";--> statement-breakpoint
ALTER TABLE "api_requests_before" DROP CONSTRAINT "api_requests_pkey";--> statement-breakpoint
ALTER TABLE "api_requests_before" ADD CONSTRAINT "api_requests_before_pkey" PRIMARY KEY USING INDEX "api_requests_before_pkey";--> statement-breakpoint
DROP TRIGGER "divert_late_api_request" ON "api_requests_before";--> statement-breakpoint
DROP FUNCTION "divert_late_api_request"();--> statement-breakpoint
CREATE TABLE "api_requests" (
	"id" text NOT NULL,
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
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_requests_pkey" PRIMARY KEY("id","created_at")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_requests_account_id_id_index" ON "api_requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "api_requests_created_at_index" ON "api_requests" USING brin ("created_at");--> statement-breakpoint
CREATE TABLE "api_requests_default" PARTITION OF "api_requests" DEFAULT;--> statement-breakpoint
DO $$
DECLARE
  bound timestamptz := (SELECT (regexp_match(pg_get_constraintdef(oid), '''(.+)'''))[1] FROM pg_constraint
    WHERE conrelid = '"api_requests_before"'::regclass AND conname = 'api_requests_before_a_day');
  today timestamp := date_trunc('day', now() AT TIME ZONE 'UTC');
  day timestamp;
BEGIN
  IF EXISTS (SELECT FROM "api_requests_before") THEN
    EXECUTE format('ALTER TABLE "api_requests" ATTACH PARTITION "api_requests_before" FOR VALUES FROM (MINVALUE) TO (%L)', bound);
    ALTER TABLE "api_requests_before" DROP CONSTRAINT "api_requests_before_a_day";
  ELSE
    DROP TABLE "api_requests_before";
    bound := '-infinity';
  END IF;
  FOR day IN SELECT generate_series(greatest(bound AT TIME ZONE 'UTC', today - interval '7 days'), today + interval '3 days', interval '1 day') LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF "api_requests" FOR VALUES FROM (%L) TO (%L)',
      to_char(day, '"api_requests_"YYYYMMDD'), day AT TIME ZONE 'UTC', (day + interval '1 day') AT TIME ZONE 'UTC');
  END LOOP;
END $$;--> statement-breakpoint
INSERT INTO "api_requests" SELECT * FROM "api_requests_late" ON CONFLICT DO NOTHING;--> statement-breakpoint
DROP TABLE "api_requests_late";
