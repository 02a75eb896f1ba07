import { z } from "zod";
import { redeemDeviceCode as redeem } from "#lib/auth/device-login.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { limitDevice } from "./device-limit.ts";

const keySchema = z
  .strictObject({
    api_key: z.string().describe("The key. It cannot be read again."),
    key_id: z.string().regex(/^key_[0-9A-Za-z]{24}$/),
    name: z.string(),
    email: z.string().describe("The account of the user who approved."),
    expires_at: z.iso.datetime().describe("RFC 3339, UTC."),
  })
  .meta({ id: "DeviceKey", description: "The API key of a device." });

const pendingSchema = z
  .strictObject({ status: z.literal("pending") })
  .meta({ id: "DevicePending", description: "The user has not decided yet." });

export const redeemDeviceCode = defineEndpoint({
  method: "POST",
  path: "/v1/device/token",
  operationId: "redeemDeviceCode",
  tag: "Account",
  summary: "Get the API key of a device that the user has approved.",
  description:
    "A code gives one key, which is valid for 90 days. `forbidden`: the user refused. `gone`: the code is expired, used or unknown.",
  access: "public",
  body: {
    kind: "json",
    schema: z.strictObject({
      device_code: z.string().min(1).max(100).describe("From POST /v1/device/codes."),
    }),
    example: { device_code: "4gqDYuS3E3rXwQG0bVxJc5cOq1mJ8m0r6mZ1Yb3v9aE" },
  },
  responses: {
    200: { description: "The user approved.", body: keySchema },
    202: { description: "The user has not decided yet.", body: pendingSchema },
  },
  errors: ["rate_limited", "forbidden", "gone"],
  async handler({ request, body }) {
    await limitDevice("devicePoll", request);
    const result = await redeem(body.device_code);
    switch (result.status) {
      case "pending":
        return Response.json({ status: "pending" }, { status: 202 });
      case "refused":
        throw new RequestError("forbidden", "The sign-in was refused in the browser.");
      case "invalid":
        throw new RequestError("gone", "This sign-in has expired. Start another one.");
      case "approved": {
        const account = await findAccount(db(), result.accountId);
        if (!account) throw new RequestError("gone", "The account was deleted.");
        return {
          api_key: result.apiKey,
          key_id: result.keyId,
          name: result.name,
          email: account.email,
          expires_at: result.expiresAt.toISOString(),
        };
      }
    }
  },
});
