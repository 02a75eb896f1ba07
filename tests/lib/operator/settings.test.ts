import { expect, it } from "vitest";
import { settingNames } from "#lib/env.ts";
import { listSettings, readDisk } from "#lib/operator/settings.ts";

it("shows every setting by name, and masks secrets and the user info of URLs", () => {
  const values = {
    DATABASE_URL: "postgres://u:p@db/x",
    SECRET: "s3cret",
    SMTP_URL: "smtp://u:p@mail",
    S3_SECRET_ACCESS_KEY: "s3cret",
    UPLOADTHING_TOKEN: "s3cret",
    METRICS_TOKEN: "s3cret",
    INNGEST_SIGNING_KEY: "s3cret",
    GITHUB_SECRET: "s3cret",
    TRANSCRIBE_KEY: "s3cret",
    S3_ENDPOINT: "https://user:s3cret@s3.example/x",
    PORT: 3000,
    FETCH_ALLOW: ["a:1", "b:2"],
  };
  const shown = Object.fromEntries(listSettings(values).map(({ name, value }) => [name, value]));
  expect(shown).toMatchObject({
    DATABASE_URL: "•••",
    SECRET: "•••",
    S3_ENDPOINT: "https://•••@s3.example/x",
    PORT: "3000",
    FETCH_ALLOW: "a:1, b:2",
    GOOGLE_ID: null,
    GOOGLE_SECRET: null,
  });
  expect(JSON.stringify(shown)).not.toMatch(/s3cret|u:p/);
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(["STATUS_CHECKS", "TRUST_PROXY"]));
  expect(Object.keys(shown)).not.toContain("MEDIAMILL_SERVICE");
  expect(settingNames.length).toBeGreaterThan(Object.keys(shown).length);
});

it("reads the disk of a folder, and null where there is none", async () => {
  const disk = await readDisk("/");
  expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? 0);
  expect(await readDisk("/there/is/no/such/folder")).toBeNull();
});
