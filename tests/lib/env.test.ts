import { expect, it } from "vitest";
import { EnvError, parseEnv } from "#lib/env.ts";

const s3 = {
  STORAGE: "s3",
  S3_BUCKET: "files",
  S3_REGION: "eu-central-1",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
};

it.each([
  [{ STORAGE: "ftp" }, "STORAGE: must be local, s3, uploadthing"],
  [{ ...s3, S3_BUCKET: undefined }, "S3_BUCKET: must be set for STORAGE=s3"],
  [{ ...s3, S3_REGION: "" }, "S3_REGION: must be set for STORAGE=s3"],
  [{ ...s3, S3_ACCESS_KEY_ID: undefined }, "S3_ACCESS_KEY_ID: must be set for STORAGE=s3"],
  [{ ...s3, S3_SECRET_ACCESS_KEY: undefined }, "S3_SECRET_ACCESS_KEY: must be set for STORAGE=s3"],
  [{ STORAGE: "uploadthing" }, "UPLOADTHING_TOKEN: must be set for STORAGE=uploadthing"],
  [
    { UPLOADTHING_TOKEN: "sk_live_half" },
    "UPLOADTHING_TOKEN: must be the whole token that the app's dashboard shows",
  ],
])("refuses %j in one line that names the variable", (variables, line) => {
  expect(() => parseEnv(variables)).toThrow(new EnvError(line));
});

const uploadthing = {
  STORAGE: "uploadthing",
  UPLOADTHING_TOKEN: btoa('{"apiKey":"sk_live_a","appId":"app","regions":["fra1"]}'),
};

it.each([{}, { STORAGE: "local" }, s3, uploadthing])("takes %j", (variables) => {
  expect(parseEnv(variables).STORAGE).toBe("STORAGE" in variables ? variables.STORAGE : "local");
});
