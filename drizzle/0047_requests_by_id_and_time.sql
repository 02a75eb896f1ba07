-- A unique key of a partitioned table has the column in it by which the table is partitioned.
CREATE UNIQUE INDEX CONCURRENTLY "api_requests_before_pkey" ON "api_requests" USING btree ("id","created_at");
