import { afterEach, expect, it, vi } from "vitest";

/** The Content-Security-Policy of a page with these environment variables. */
async function policyOf(variables: Record<string, string>): Promise<string> {
  vi.resetModules();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { pageHeaders } = await import("#lib/page-headers.ts");
  return pageHeaders("nonce")["Content-Security-Policy"] ?? "";
}

afterEach(() => vi.unstubAllEnvs());

const s3 = {
  STORAGE: "s3",
  S3_BUCKET: "files",
  S3_REGION: "eu-central-1",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
};

it.each([
  ["Amazon's", s3, "https://files.s3.eu-central-1.amazonaws.com"],
  [
    "another S3 store's",
    { ...s3, S3_ENDPOINT: "http://minio.test:9000/" },
    "http://minio.test:9000",
  ],
])("pages may send files to %s URL", async (_owner, variables, origin) => {
  const policy = await policyOf({ ...variables, APP_URL: "https://media.example" });
  for (const directive of ["connect-src", "img-src", "media-src"]) {
    expect(policy).toContain(`${directive} 'self' https://media.example ${origin}`);
  }
  expect(policy).not.toMatch(new RegExp(`script-src[^;]*${origin}`));
});

it("forms may submit only to the configured sign-in providers", async () => {
  expect(await policyOf({})).toContain("form-action 'self';");
  const providers = { GITHUB_ID: "id", GITHUB_SECRET: "s", GOOGLE_ID: "id", GOOGLE_SECRET: "s" };
  expect(await policyOf(providers)).toContain(
    "form-action 'self' https://github.com https://accounts.google.com;",
  );
});

it("only development allows eval", async () => {
  expect(await policyOf({ NODE_ENV: "production" })).not.toContain("unsafe-eval");
  expect(await policyOf({ NODE_ENV: "development" })).toContain("'unsafe-eval'");
});
