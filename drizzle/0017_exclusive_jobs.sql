CREATE INDEX "jobs_exclusive" ON "jobs" USING btree ("stage") WHERE status in ('pending', 'processing') and lease_token is null and runner_deaths >= 2;--> statement-breakpoint
-- Aborts the statement that calls it, for statements that decide whether to write at all.
CREATE FUNCTION "abort_statement"("reason" text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'MM001', MESSAGE = reason;
END
$$;
