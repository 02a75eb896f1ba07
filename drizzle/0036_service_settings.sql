CREATE TABLE "service_settings" (
	"id" smallint PRIMARY KEY NOT NULL,
	"new_account_plan" text
);
