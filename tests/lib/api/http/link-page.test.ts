import { describe, expect, it } from "vitest";
import { errorResponse } from "#lib/api/http/error-response.ts";
import { RequestError } from "#lib/errors.ts";

const job = `job_${"0".repeat(24)}`;
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

function respond(path: string, accept: string, code: "forbidden" | "gone" | "not_found") {
  const url = new URL(`http://localhost${path}`);
  const request = new Request(url, { headers: { accept } });
  const error = new RequestError(code, "This link is not valid or has expired.");
  return errorResponse(error, { request, url, requestId: "req_1" });
}

describe("a link to a file that does not work is for a browser", () => {
  it.each([
    ["forbidden", `/files/${job}/0/a.pdf`, 403, "This link no longer works"],
    ["gone", `/files/${job}/0/a.pdf`, 410, "This file is no longer kept"],
    ["not_found", "/files/nothing", 404, "There is no file at this link"],
    ["forbidden", "/uploads/upload_1", 403, "This link takes a file"],
  ] as const)("%s at %s: %d, %s", async (code, path, status, title) => {
    const response = respond(path, browser, code);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("x-error-code")).toBe(code);
    expect(await response.text()).toContain(`<h1>${title}</h1>`);
  });

  it("leads to the job, and repeats nothing else of the URL", async () => {
    const path = `/files/${job}/0/call-us-now.pdf?name=<b>`;
    const page = await respond(path, browser, "forbidden").text();
    expect(page).toContain(`href="/dashboard/jobs/${job}"`);
    expect(page).not.toMatch(/call-us-now|<b>/);
    const other = await respond("/files/job_1/0/call-us-now.pdf", browser, "forbidden").text();
    expect(other).not.toMatch(/call-us-now|dashboard/);
  });
});

it.each([
  [`/files/${job}/0/a.pdf`, "*/*"],
  [`/files/${job}/0/a.pdf`, "image/avif,image/webp,*/*"],
  [`/files/${job}/0/a.pdf`, "application/json"],
  ["/v1/jobs", browser],
])("%s for %s is JSON", async (path, accept) => {
  const response = respond(path, accept, "forbidden");
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(Object.keys(await response.json())).toEqual(["error"]);
});
