import { createHash, randomBytes } from "node:crypto";
import { expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { insertAccount } from "#tests/service/accounts.ts";
import { Client } from "#tests/service/http/client.ts";
import { FormBrowser } from "#tests/service/http/form-browser.ts";

it("an upload of 11 MB from a dashboard page is received unchanged, and one from another site is rejected", async () => {
  const password = "purple lighthouse 9";
  const { email, key } = await insertAccount({ password });
  const browser = new FormBrowser(inject("service").url);
  await browser.signIn(email, password);
  // More than the 10 MB of a request body that Next.js keeps in its proxy.
  const bytes = randomBytes(11_000_000);
  const send = (headers: Record<string, string> = {}) => {
    const body = new FormData();
    body.append("file", new File([bytes], "noise.bin"));
    return browser.send("/dashboard/api/run/pipeline/file-inspect", {
      method: "POST",
      body,
      headers,
    });
  };
  expect((await send({ origin: "https://evil.example" })).status).toBe(403);
  const job: Job = await new Client(key).finish(await send());
  expect(job).toMatchObject({
    status: "completed",
    result: { bytes: 11_000_000, sha256: createHash("sha256").update(bytes).digest("hex") },
  });
});
