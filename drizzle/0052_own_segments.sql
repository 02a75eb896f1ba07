ALTER TABLE "image_cache_segments" ADD COLUMN "folder" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Where their pictures are.
UPDATE "image_cache_segments" SET "folder" = "id"::text;--> statement-breakpoint
ALTER TABLE "image_cache_segments" ALTER COLUMN "folder" SET DEFAULT gen_random_uuid()::text;
