CREATE INDEX CONCURRENTLY "webhook_deliveries_manual" ON "webhook_deliveries" USING btree ("account_id") WHERE manual and status = 'pending';
