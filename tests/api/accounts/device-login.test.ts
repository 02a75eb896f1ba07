import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { insertPerson } from "#tests/service/accounts.ts";
import { Cli } from "#tests/service/cli.ts";
import { Client } from "#tests/service/http/client.ts";
import { FormBrowser, textOf } from "#tests/service/http/form-browser.ts";
import { expectError } from "#tests/support/expect-error.ts";

/** The sign-in of a command line that a user approves in the browser. */

const { url } = inject("service");
const client = new Client();
let cli: Cli;

beforeAll(() => {
  cli = new Cli({ MEDIAMILL_BASE_URL: url });
});

afterAll(() => cli.remove());

describe("login", () => {
  const password = "purple lighthouse 9";
  let browser: FormBrowser;
  const configPath = () => join(cli.folder, "config/mediamill/config.json");
  let email: string;

  beforeAll(async () => {
    browser = new FormBrowser(url);
    email = await insertPerson(password);
    await browser.signIn(email, password);
  });

  async function login(button: string) {
    const child = cli.start(["login", "--name", "my <b>laptop</b>", "--no-browser"]);
    let page = "";
    let stderr = "";
    for await (const line of createInterface({ input: child.stderr ?? process.stdin })) {
      stderr += line;
      const path = /^Open \S+?(\/device\?code=[A-Z]{4}-[A-Z]{4})$/.exec(line)?.[1];
      if (!path) continue;
      const shown = await browser.open(path);
      expect(textOf(shown)).toContain("my <b>laptop</b>");
      page = textOf(await browser.submit(shown, button, {}));
      // The code works once.
      expect(textOf(await browser.open(path))).toContain("no longer valid");
    }
    if (child.exitCode === null) await once(child, "close");
    return { code: child.exitCode, stderr, page };
  }

  it("gives a key of 90 days, which logout revokes", async () => {
    const done = await login("Approve");
    expect(done).toMatchObject({ code: 0, page: expect.stringContaining("is connected") });
    expect(statSync(configPath()).mode & 0o777).toBe(0o600);
    const shown = await cli.run(["whoami", "--json"]);
    const { api_key, ...rest } = JSON.parse(shown.stdout);
    expect(rest).toMatchObject({ email, base_url: url });
    expect((Date.parse(api_key.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(90, 1);
    expect((await cli.run(["doctor"])).code).toBe(0);
    const { profiles } = JSON.parse(readFileSync(configPath(), "utf8"));
    expect((await cli.run(["logout"])).code).toBe(0);
    const headers = { "x-api-key": profiles.default.api_key };
    await expectError(await fetch(`${url}/v1/account`, { headers }), "unauthorized");
    expect((await cli.run(["whoami"])).code).toBe(3);
  });

  it("gives no key if the user refuses", async () => {
    const refused = await login("Refuse");
    expect(refused).toMatchObject({ code: 3, page: expect.stringContaining("was refused") });
  });

  it("rejects unknown and used device codes", async () => {
    const redeem = (device_code: string) => client.postJson("/v1/device/token", { device_code });
    await expectError(await redeem("unknown"), "gone");
    const created = await client.postJson("/v1/device/codes", { name: "a laptop" });
    const { device_code } = (await created.json()) as { device_code: string };
    expect((await redeem(device_code)).status).toBe(202);
  });
});
