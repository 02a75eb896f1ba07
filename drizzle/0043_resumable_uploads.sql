ALTER TABLE "uploads" ADD COLUMN "method" text DEFAULT 'put' NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "part_bytes" bigint;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "store_id" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "received_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "received_parts" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "writer" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "writer_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "writer_wanted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "files_deleted_at" timestamp (3) with time zone;