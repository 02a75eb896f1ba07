import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { decideDeviceLogin, redeemDeviceCode, startDeviceLogin } from "#lib/auth/device-login.ts";

/** What a device that asks all the time gets in the end. */
async function pollUntilDecided(deviceCode: string): Promise<string> {
  for (;;) {
    const { status } = await redeemDeviceCode(deviceCode);
    if (status !== "pending") return status;
  }
}

it("a device that asks while the user decides gets the decision", async () => {
  const account = await createAccount({ email: "device@example.com" });
  if (!account) throw new Error("the account exists already");
  for (let turn = 0; turn < 50; turn++) {
    const { deviceCode, userCode } = await startDeviceLogin({ name: "laptop", address: undefined });
    const decision = pollUntilDecided(deviceCode);
    expect(await decideDeviceLogin(userCode, account.id, "refused")).toBe("decided");
    expect(await decision).toBe("refused");
    expect((await redeemDeviceCode(deviceCode)).status).toBe("invalid");
  }
});
