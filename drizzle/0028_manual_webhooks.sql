ALTER TABLE "webhook_deliveries" ADD COLUMN "manual" boolean DEFAULT false NOT NULL;
