import { expect, it } from "vitest";
import { RequestError } from "#lib/errors.ts";
import { statusError } from "#lib/gotenberg/base/errors.ts";
import { errorResponse } from "#lib/gotenberg/run/error-response.ts";
import { requireRateBelowLimit } from "#lib/quotas/rate-limit.ts";

const respondTo = (error: unknown) => errorResponse(error, { requestId: "req_1", record: {} });

it("a request over the rate limit learns when to come back", async () => {
  let error: unknown;
  try {
    requireRateBelowLimit({
      limit: 10,
      remaining: 0,
      resetAt: Date.now() + 30_000,
      exceeded: true,
    });
  } catch (thrown) {
    error = thrown;
  }
  const response = respondTo(error);
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=UTF-8");
});

it.each(["usage_limit_reached", "unavailable", "locked"] as const)(
  "%s keeps its Retry-After",
  (code) => {
    const error = new RequestError(code, "Text.", { headers: { "Retry-After": "7" } });
    expect(respondTo(error).headers.get("Retry-After")).toBe("7");
  },
);

it("without a database, too", () => {
  const error = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const response = respondTo(error);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
});

it("an unknown key gets no Retry-After", () => {
  const { headers } = respondTo(statusError(401));
  expect(headers.get("WWW-Authenticate")).toBe("basic realm=Restricted");
  expect(headers.has("Retry-After")).toBe(false);
});
