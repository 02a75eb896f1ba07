-- Requests that were stored earlier with a time in the future have the time of a wrong clock.
DO $$
DECLARE
  bound timestamptz := (SELECT (regexp_match(pg_get_constraintdef(oid), '''(.+)'''))[1] FROM pg_constraint
    WHERE conrelid = '"api_requests"'::regclass AND conname = 'api_requests_before_a_day');
BEGIN
  UPDATE "api_requests" SET "created_at" = least(now(), bound - interval '1 ms') WHERE "created_at" >= bound;
END $$;--> statement-breakpoint
ALTER TABLE "api_requests" VALIDATE CONSTRAINT "api_requests_before_a_day";
