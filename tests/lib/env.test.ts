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
  [{ PORT: "web" }, "PORT: must be an integer from 0 to 65535"],
  [{ SIGN_UP: "maybe" }, "SIGN_UP: must be one of open, closed"],
  [{ JOB_TIMEOUT: "0" }, "JOB_TIMEOUT: must be an integer from 1 to 86400"],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL: must be a postgres:// URL"],
  [{ HEALTH_PORT: "0" }, "HEALTH_PORT: must be an integer from 1 to 65535"],
  [{ MEDIA_ENGINES: "office" }, "MEDIA_ENGINES: must be one of all, documents, av"],
  [
    { MEDIA_ENGINES: "av", INNGEST_BASE_URL: "http://inngest.test" },
    "MEDIA_ENGINES: must be all when Inngest is used",
  ],
  [{ STORAGE: "ftp" }, "STORAGE: must be one of local, s3, uploadthing"],
  [{ ENGINE_ISOLATION: "user" }, "ENGINE_ISOLATION: must be one of shared, account"],
  [{ FORM_BYTES: "999999" }, "FORM_BYTES: must be an integer from 1000000 to 999999999"],
  [{ DOWNLOADS: "direct" }, "DOWNLOADS: must be one of redirect, proxy"],
  [{ APP_URL: "media.test" }, "APP_URL: must be an http or https URL"],
  [{ ...s3, S3_BUCKET: undefined }, "S3_BUCKET: must be set for STORAGE=s3"],
  [{ ...s3, S3_REGION: "" }, "S3_REGION: must be set for STORAGE=s3"],
  [{ ...s3, S3_ACCESS_KEY_ID: undefined }, "S3_ACCESS_KEY_ID: must be set for STORAGE=s3"],
  [{ ...s3, S3_SECRET_ACCESS_KEY: undefined }, "S3_SECRET_ACCESS_KEY: must be set for STORAGE=s3"],
  [{ STORAGE: "uploadthing" }, "UPLOADTHING_TOKEN: must be set for STORAGE=uploadthing"],
  [
    { UPLOADTHING_TOKEN: "sk_live_half" },
    "UPLOADTHING_TOKEN: must be the complete token that UploadThing's dashboard shows",
  ],
  [{ GITHUB_ID: "id" }, "GITHUB_SECRET: must be set when GITHUB_ID is set"],
  [{ GOOGLE_SECRET: "secret" }, "GOOGLE_ID: must be set when GOOGLE_SECRET is set"],
  [{ GITHUB_URL: "github.test" }, "GITHUB_URL: must be an http or https URL"],
  [{ TRANSCRIBE_URL: "api.test/v1" }, "TRANSCRIBE_URL: must be an http or https URL"],
  [
    { TRANSCRIBE_URL: "https://user:pw@api.test/v1" },
    "TRANSCRIBE_URL: must not contain a user name or password",
  ],
  [{ TIMESTAMP_URL: "ftp://time.test" }, "TIMESTAMP_URL: must be an http or https URL"],
  [{ TRANSCRIBE_KEY: "a\r\nb" }, "TRANSCRIBE_KEY: must have only printable ASCII characters"],
  [{ SMTP_URL: "mail.test:25" }, "SMTP_URL: must be an smtp:// or smtps:// URL"],
  [{ SMTP_URL: "smtp://mail.test" }, "SMTP_FROM: must be set when SMTP_URL is set"],
  [
    { SMTP_URL: "smtp://mail.test", SMTP_FROM: "mill@media.test\r\nBcc: all@media.test" },
    "SMTP_FROM: must be an email address, or Name <address>",
  ],
  [
    { DATABASE_LISTEN_URL: "postgres://db/mediamill" },
    "DATABASE_URL: must be set when DATABASE_LISTEN_URL is set",
  ],
  [{ DATABASE_POOL: "0" }, "DATABASE_POOL: must be an integer from 1 to 500"],
  [{ INNGEST_EVENT_KEY: "key" }, "INNGEST_SIGNING_KEY: must be set when Inngest is used"],
  [{ INNGEST_SIGNING_KEY: "00" }, "INNGEST_EVENT_KEY: must be set when Inngest is used"],
  [
    { INNGEST_SIGNING_KEY: "signkey-prod-secret" },
    "INNGEST_SIGNING_KEY: must be a hexadecimal key, as Inngest shows it",
  ],
  [{ INNGEST_BASE_URL: "inngest:8288" }, "INNGEST_BASE_URL: must be an http or https URL"],
])("rejects %j in one line that names the variable", (variables, line) => {
  expect(() => parseEnv(variables)).toThrow(new EnvError(line));
});

it.each([
  [{}, undefined],
  [{ VERCEL: "1" }, 4_000_000],
  [{ VERCEL: "1", FORM_BYTES: "1000000" }, 1_000_000],
])("with %j, a form may have %s bytes", (variables, bytes) => {
  expect(parseEnv(variables).FORM_BYTES).toBe(bytes);
});

it.each(["http://media.test/path", "http://media.test/?a", "https://media.test#a"])(
  "rejects APP_URL=%s: the service has no path",
  (APP_URL) => {
    const line = "APP_URL: must have no path: the service runs at the root path of its host";
    expect(() => parseEnv({ APP_URL })).toThrow(new EnvError(line));
  },
);

it.each(["page=a:80", "=a:80", "a:80,input=b:80"])(
  "rejects FETCH_ALLOW=%s: no such purpose exists",
  (FETCH_ALLOW) => {
    const line =
      'FETCH_ALLOW: must have only the purposes inputs, webhooks, pages, exports, connections before "="';
    expect(() => parseEnv({ FETCH_ALLOW })).toThrow(new EnvError(line));
  },
);

it.each(["https://a", "a/b", "a b", "*.a", "a@b", "a:99999"])(
  "rejects ALLOWED_HOSTS=%s",
  (host) => {
    const line =
      "ALLOWED_HOSTS: must be a comma-separated list of host names or IP addresses, each with or without a port";
    expect(() => parseEnv({ ALLOWED_HOSTS: `a.test,${host}` })).toThrow(new EnvError(line));
  },
);
it.each([
  "a:99999",
  "pages=a:0",
  "pages=",
  "inputs=::1:80",
  "a:0",
  "a",
  "a:80,b:65536",
  "http://a:80",
])("rejects FETCH_ALLOW=%s: no such port exists", (FETCH_ALLOW) => {
  const line =
    "FETCH_ALLOW: must be a comma-separated list of host:port or purpose=host:port, with ports from 1 to 65535, or * for any";
  expect(() => parseEnv({ FETCH_ALLOW })).toThrow(new EnvError(line));
});

it("accepts a URL without a path, and every valid port", () => {
  const parsed = parseEnv({ APP_URL: "https://media.test:8443/", FETCH_ALLOW: "a:1, [::1]:65535" });
  expect(parsed.APP_URL).toBe("https://media.test:8443");
  expect(parsed.FETCH_ALLOW).toEqual(["a:1", "[::1]:65535"]);
});

const uploadthing = {
  STORAGE: "uploadthing",
  UPLOADTHING_TOKEN: btoa('{"apiKey":"sk_live_a","appId":"app","regions":["fra1"]}'),
};

const cloud = { INNGEST_EVENT_KEY: "key", INNGEST_SIGNING_KEY: "signkey-prod-0123456789abcdef" };

it.each([
  cloud,
  { ...cloud, INNGEST_SIGNING_KEY: "0123", INNGEST_BASE_URL: "http://inngest:8288" },
  { INNGEST_BASE_URL: "http://localhost:8288" },
])("accepts %j: Inngest Cloud, a self-hosted server, a development server", (variables) => {
  expect(parseEnv(variables)).toMatchObject(variables);
});

it("redirects downloads unless DOWNLOADS says otherwise", () => {
  expect(parseEnv({}).DOWNLOADS).toBe("redirect");
  expect(parseEnv({ DOWNLOADS: "proxy" }).DOWNLOADS).toBe("proxy");
});

it.each([{}, { STORAGE: "local" }, s3, uploadthing])("accepts %j", (variables) => {
  expect(parseEnv(variables).STORAGE).toBe("STORAGE" in variables ? variables.STORAGE : "local");
});

it.each(["0", "-1", "1.5", "36501", "99999999", "never", "Forever", "365 days"])(
  "rejects JOB_RETENTION_DAYS=%s",
  (JOB_RETENTION_DAYS) => {
    const line = "JOB_RETENTION_DAYS: must be an integer of days from 1 to 36500, or forever";
    expect(() => parseEnv({ JOB_RETENTION_DAYS })).toThrow(new EnvError(line));
  },
);

it.each([
  [undefined, 365],
  ["", 365],
  ["1", 1],
  ["36500", 36_500],
  ["forever", "forever"],
])("JOB_RETENTION_DAYS=%s means %s", (JOB_RETENTION_DAYS, expected) => {
  expect(parseEnv({ JOB_RETENTION_DAYS }).JOB_RETENTION_DAYS).toBe(expected);
});

it("has few connections to the database on Vercel, unless they are set", () => {
  expect(parseEnv({}).DATABASE_POOL).toBe(10);
  expect(parseEnv({ VERCEL: "1" }).DATABASE_POOL).toBe(2);
  expect(parseEnv({ VERCEL: "1", DATABASE_POOL: "5" }).DATABASE_POOL).toBe(5);
});
