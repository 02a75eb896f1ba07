import { z } from "zod";
import { startDeviceLogin } from "#lib/auth/device-login.ts";
import { deviceCodeMinutes } from "#lib/db/queries/accounts/device-codes.ts";
import { env } from "#lib/env.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { limitDevice } from "./device-limit.ts";

/** How often a device may ask whether it was approved, in seconds. */
export const pollSeconds = 2;

const codeSchema = z
  .strictObject({
    device_code: z.string().describe("Secret. The device gets its key with it."),
    user_code: z
      .string()
      .regex(/^[A-Z]{4}-[A-Z]{4}$/)
      .describe("The user enters or compares it in the browser."),
    verification_url: z.string().describe("The page on which the user approves the device."),
    verification_url_complete: z.string().describe("The same page, with the code filled in."),
    expires_in: z.int().min(1).describe("Seconds."),
    interval: z.int().min(1).describe("Seconds between two requests for the key."),
  })
  .meta({ id: "DeviceCode", description: "The codes of a device that signs in." });

export const createDeviceCode = defineEndpoint({
  method: "POST",
  path: "/v1/device/codes",
  operationId: "createDeviceCode",
  tag: "Account",
  summary: "Start the sign-in of a device or command line.",
  description:
    "Show the user the URL and the user code, then request the key with POST /v1/device/token until the user has decided in the browser. The codes are valid for 10 minutes.",
  access: "public",
  body: {
    kind: "json",
    schema: z.strictObject({
      name: z
        .string()
        .trim()
        .min(1)
        .max(60)
        .refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters")
        .describe("The name of the device. The user sees it, and the key gets it."),
    }),
    example: { name: "mediamill on my-laptop" },
  },
  responses: { 200: { description: "The codes.", body: codeSchema } },
  errors: ["rate_limited"],
  async handler({ request, body }) {
    await limitDevice("deviceCode", request);
    const { name } = body;
    const codes = await startDeviceLogin({ name, address: addressIn(request.headers) });
    const url = `${env.APP_URL}/device`;
    return {
      device_code: codes.deviceCode,
      user_code: codes.userCode,
      verification_url: url,
      verification_url_complete: `${url}?code=${codes.userCode}`,
      expires_in: deviceCodeMinutes * 60,
      interval: pollSeconds,
    };
  },
});
