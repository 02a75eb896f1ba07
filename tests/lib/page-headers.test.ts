import { afterEach, expect, it, vi } from "vitest";

/** The policy of a page under these variables. */
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
  ["another store's", { ...s3, S3_ENDPOINT: "http://minio.test:9000/" }, "http://minio.test:9000"],
])("pages may send files to %s own address", async (_whose, variables, origin) => {
  const policy = await policyOf({ ...variables, APP_URL: "https://media.example" });
  for (const directive of ["connect-src", "img-src", "media-src"]) {
    expect(policy).toContain(`${directive} 'self' https://media.example ${origin}`);
  }
  expect(policy).not.toMatch(new RegExp(`script-src[^;]*${origin}`));
});

it("forms may lead to the sign-in providers that are set up, and nowhere else", async () => {
  expect(await policyOf({})).toContain("form-action 'self';");
  const providers = { GITHUB_ID: "id", GITHUB_SECRET: "s", GOOGLE_ID: "id", GOOGLE_SECRET: "s" };
  expect(await policyOf(providers)).toContain(
    "form-action 'self' https://github.com https://accounts.google.com;",
  );
});

it("only development evaluates text", async () => {
  expect(await policyOf({ NODE_ENV: "production" })).not.toContain("unsafe-eval");
  expect(await policyOf({ NODE_ENV: "development" })).toContain("'unsafe-eval'");
});
