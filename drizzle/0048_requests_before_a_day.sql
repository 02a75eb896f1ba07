-- The table becomes a partition of a new one with its name, for all requests before a day. A constraint says so, for
-- PostgreSQL to believe it without a scan. Requests that it would reject go to a table of their own, if the clock of a
-- service is wrong or if the next migrations are applied days later. The last migration adds them to the others.
CREATE TABLE "api_requests_late" (LIKE "api_requests");--> statement-breakpoint
ALTER TABLE "api_requests_late" ADD CONSTRAINT "api_requests_late_pkey" PRIMARY KEY ("id");--> statement-breakpoint
ALTER TABLE "api_requests_late" ADD CONSTRAINT "api_requests_late_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade;--> statement-breakpoint
CREATE FUNCTION "divert_late_api_request"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "api_requests_late" VALUES (new.*) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Less than `deadlock_timeout`, so that no statement of a service is canceled if it waits for this one.
SET LOCAL lock_timeout = '500ms';--> statement-breakpoint
DO $$
DECLARE
  -- A database without accounts has no requests either, and gets partitions for the days of a backup.
  days int := CASE WHEN EXISTS (SELECT FROM "accounts") THEN 2 ELSE -7 END;
  bound timestamptz := (date_trunc('day', now() AT TIME ZONE 'UTC') + make_interval(days => days)) AT TIME ZONE 'UTC';
BEGIN
  EXECUTE format('CREATE TRIGGER "divert_late_api_request" BEFORE INSERT ON "api_requests"
    FOR EACH ROW WHEN (new.created_at >= %L) EXECUTE FUNCTION divert_late_api_request()', bound);
  EXECUTE format('ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_before_a_day"
    CHECK (created_at < %L) NOT VALID', bound);
END $$;
