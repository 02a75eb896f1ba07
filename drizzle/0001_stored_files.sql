CREATE TABLE "stored_files" (
	"file" text NOT NULL,
	"key" text NOT NULL,
	"remote_key" text,
	"current" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stored_files_file_key_pk" PRIMARY KEY("file","key")
);
--> statement-breakpoint
CREATE INDEX "stored_files_key_index" ON "stored_files" USING btree ("key" text_pattern_ops);