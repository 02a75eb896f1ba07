import { describe, expect, it } from "vitest";
import {
  signPath,
  signThumborPath,
  verifySignature,
  verifyThumborSignature,
} from "#lib/images/imgproxy/signature.ts";

// The example of imgproxy's documentation.
const pair = {
  key: Buffer.from("736563726574", "hex"),
  salt: Buffer.from("68656C6C6F", "hex"),
};
const path = "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png";
const signature = "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8";

describe("imgproxy's signature", () => {
  it("is the one of its documentation", () => {
    expect(signPath(pair, path)).toBe(signature);
    expect(verifySignature(pair, signature, path)).toBe(true);
  });

  it.each([
    ["of another path", signature, `${path}x`],
    ["that is changed", `p${signature.slice(1)}`, path],
    ["that is cut off", signature.slice(0, 20), path],
    ["that is empty", "", path],
    ["that is not Base64", "../..", path],
    ["with padding", `${signature}=`, path],
  ])("is not valid %s", (_, given, signed) => {
    expect(verifySignature(pair, given, signed)).toBe(false);
  });
});

describe("thumbor's signature", () => {
  it("is the one of its documentation", () => {
    // https://thumbor.readthedocs.io/en/latest/security.html
    const signed = signThumborPath(
      "MY_SECURE_KEY",
      "300x200/smart/thumbor.readthedocs.io/en/latest/_images/logo-thumbor.png",
    );
    expect(signed).toMatch(/^[A-Za-z0-9_-]{27}=$/);
    expect(
      verifyThumborSignature(
        "MY_SECURE_KEY",
        signed,
        "300x200/smart/thumbor.readthedocs.io/en/latest/_images/logo-thumbor.png",
      ),
    ).toBe(true);
    expect(
      verifyThumborSignature(
        "MY_SECURE_KEY",
        signed,
        "300x201/smart/thumbor.readthedocs.io/en/latest/_images/logo-thumbor.png",
      ),
    ).toBe(false);
    expect(
      verifyThumborSignature(
        "OTHER_KEY",
        signed,
        "300x200/smart/thumbor.readthedocs.io/en/latest/_images/logo-thumbor.png",
      ),
    ).toBe(false);
  });
});
