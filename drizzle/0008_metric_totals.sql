CREATE TABLE "metric_totals" (
	"name" text NOT NULL,
	"labels" text NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "metric_totals_name_labels_pk" PRIMARY KEY("name","labels")
);
