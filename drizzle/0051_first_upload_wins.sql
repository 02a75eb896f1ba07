CREATE TABLE "upload_part_writers" (
	"upload_id" text NOT NULL,
	"number" integer NOT NULL,
	"writer" text NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_wanted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "upload_part_writers_upload_id_number_pk" PRIMARY KEY("upload_id","number")
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "attempt" text;--> statement-breakpoint
ALTER TABLE "upload_part_writers" ADD CONSTRAINT "upload_part_writers_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;