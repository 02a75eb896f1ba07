import { expect } from "vitest";
import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";

/** Holds an answer against the one form of errors; its sentence. */
export async function expectError(response: Response, code: RequestErrorCode): Promise<string> {
  const text = await response.text();
  const found = [response.status, response.headers.get("x-error-code")];
  expect(found, text).toEqual([requestErrorStatus[code], code]);
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  const answer: { error: string } = JSON.parse(text);
  expect(Object.keys(answer)).toEqual(["error"]);
  expect(answer.error).toMatch(/^[A-Za-z_][^\n]{5,500}\.$/);
  expect(answer.error).not.toMatch(/\/(?:tmp|work|home|root|usr)\b|:\/\/|at .+:\d+:\d+|undefined/);
  return answer.error;
}
