import { expect, it, onTestFinished } from "vitest";
import { env } from "#lib/env.ts";
import { signPath } from "#lib/images/imgproxy/signature.ts";
import type { PictureOwner } from "#lib/images/keys/pairs.ts";
import { varyOf } from "#lib/images/serve/negotiate.ts";
import { prepareRequest } from "#lib/images/serve/prepare-request.ts";

const pair = { key: Buffer.from("key"), salt: Buffer.from("salt") };
const owner: PictureOwner = {
  accountId: "acc_1",
  plan: "free",
  pairs: [pair],
  thumborKeys: [],
  unsigned: false,
};
const rest = "/q:80/plain/https://example.com/photo.jpg";
const path = `${signPath(pair, rest)}${rest}`;
const hints = { dpr: "2", width: "300" };

function prepare(headers: Record<string, string>) {
  return prepareRequest({ grammar: "imgproxy", path, headers }, owner);
}

it("no header changes the size of a signed picture", () => {
  expect(prepare(hints).key).toEqual(prepare({}).key);
  expect(varyOf(hints)).toBe("Accept");
});

it("client hints count where the operator allows them", () => {
  onTestFinished(() => {
    Object.assign(env, { IMGPROXY_ENABLE_CLIENT_HINTS: false });
  });
  Object.assign(env, { IMGPROXY_ENABLE_CLIENT_HINTS: true });
  expect(prepare(hints).changed).toMatchObject({ dpr: 2, width: 150 });
  expect(varyOf(hints)).toBe("Accept, dpr, width");
});
