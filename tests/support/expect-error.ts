import { expect } from "vitest";
import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";

/** Checks that `response` is an error response with `code`; returns its message. */
export async function expectError(response: Response, code: RequestErrorCode): Promise<string> {
  const text = await response.text();
  const actual = [response.status, response.headers.get("x-error-code")];
  expect(actual, text).toEqual([requestErrorStatus[code], code]);
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  const body: { error: string } = JSON.parse(text);
  expect(Object.keys(body)).toEqual(["error"]);
  expectMessage(body.error);
  return body.error;
}

/** Checks that `message` is one sentence for callers, without a path, a URL or a stack. */
export function expectMessage(message: string): void {
  expect(message).toMatch(/^[A-Za-z_`][^\n]{5,500}\.$/);
  expect(message).not.toMatch(/\/(?:tmp|work|home|root|usr)\b|:\/\/|at .+:\d+:\d+|undefined/);
}
