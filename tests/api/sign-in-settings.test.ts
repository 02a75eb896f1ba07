import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startGitHub } from "#tests/servers/github.ts";
import { type MailServer, mailText, startMailServer } from "#tests/servers/mail.ts";
import { FormBrowser, textOf } from "#tests/service/form-browser.ts";
import { runAdmin } from "#tests/service/run-admin.ts";
import { type Stack, startStack, until } from "#tests/service/stack.ts";

/** A service behind a proxy that speaks https, which sends e-mail, knows GitHub and makes no new accounts. */
const publicUrl = "https://media.example";
const password = "purple lighthouse 9";
const operatorsChoice = `guest-${randomBytes(4).toString("hex")}@example.com`;
let mail: MailServer;
let gitHub: Awaited<ReturnType<typeof startGitHub>>;
let stack: Stack;

beforeAll(async () => {
  mail = await startMailServer();
  const address = (email: string, verified = true) => [{ email, primary: true, verified }];
  gitHub = await startGitHub([
    { id: 1, login: "guest", emails: address(operatorsChoice) },
    { id: 2, login: "stranger", emails: address("stranger@example.com") },
    { id: 3, login: "impostor", emails: address("ada@example.com") },
    { id: 4, login: "unverified", emails: address("unverified@example.com", false) },
  ]);
  stack = await startStack({
    APP_URL: publicUrl,
    TRUST_PROXY: "1",
    SIGN_UP: "closed",
    SMTP_URL: mail.url,
    SMTP_FROM: "Mediamill <mill@media.example>",
    GITHUB_ID: "client",
    GITHUB_SECRET: "secret",
    GITHUB_URL: gitHub.url,
  });
  const create = (...options: string[]) => runAdmin(stack.dataDir, "account", "create", ...options);
  await create("--email", "ada@example.com", "--password", password);
  await create("--email", operatorsChoice, "--plan", "business");
});

afterAll(async () => {
  await stack?.stop();
  mail?.close();
  gitHub?.close();
});

/** A browser behind the proxy, each at an address of its own. */
function openBrowser(): FormBrowser {
  const bytes = [...randomBytes(3)];
  const headers = {
    "x-forwarded-host": "media.example",
    "x-forwarded-for": `20.${bytes.join(".")}`,
  };
  return new FormBrowser(stack.url, { publicUrl, headers });
}

describe("behind https", () => {
  it("the session's cookie is pinned to the host, and every answer says that it stays with https", async () => {
    const browser = openBrowser();
    const page = await browser.submit(await browser.open("/sign-in"), "Sign in", {
      email: "ada@example.com",
      password,
      next: "/dashboard/settings",
    });
    expect(page.path).toBe("/dashboard/settings");
    expect(textOf(page)).toMatch(/\b20\.\d+\.\d+\.\d+\b/);
    const cookies = browser.setCookies.filter((line) => line.includes("session-token"));
    expect(cookies.length).toBeGreaterThan(0);
    for (const line of cookies) {
      expect(line).toMatch(/^__Host-next-auth\.session-token=/);
      for (const flag of [/; HttpOnly/, /; Secure/, /; SameSite=lax/i, /; Path=\//]) {
        expect(line).toMatch(flag);
      }
      expect(line).not.toMatch(/; Domain/i);
    }
    for (const path of ["/", "/v1/operations", "/healthz", "/api/auth/csrf", "/icon.svg"]) {
      const { headers } = await browser.send(path);
      expect(headers.get("strict-transport-security"), path).toMatch(/^max-age=63072000/);
    }
    expect(page.headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
  });

  it("a form that says it comes from the same host by http is another site's", async () => {
    const browser = openBrowser();
    const headers = { origin: "http://media.example" };
    const fields = { email: "ada@example.com", password };
    const page = await browser.submit(await browser.open("/sign-in"), "Sign in", fields, {
      headers,
    });
    expect([page.status, browser.session]).toEqual([403, undefined]);
  });
});

describe("sign-up that is closed", () => {
  it("has no form, and takes none from elsewhere", async () => {
    const browser = openBrowser();
    // Of another installation of the same version, where it is open.
    const form = await new FormBrowser(inject("service").url).open("/sign-up");
    const email = "uninvited@example.com";
    const sent = await browser.submit(form, "Create account", { email, password });
    expect([sent.status, browser.session]).toEqual([200, undefined]);
    expect((await browser.signIn(email, password)).status).toBe(401);
    const page = await browser.open("/sign-up");
    expect(textOf(page)).toContain("Sign-up is closed");
    expect(page.html).not.toContain("<form");
    expect(textOf(await browser.open("/sign-in"))).not.toContain("Make one");
  });
});

describe("a forgotten password", () => {
  const ask = async (email: string) => {
    const browser = openBrowser();
    const page = await browser.submit(await browser.open("/forgot-password"), "Send the link", {
      email,
    });
    return textOf(page).replaceAll(email, "");
  };
  const linkIn = (text: string) => /https:\S+(\/reset-password\?token=\S+)/.exec(text)?.[1] ?? "";

  it("is replaced by a link that is sent, once, and ends every session", async () => {
    const signedIn = openBrowser();
    await signedIn.signIn("ada@example.com", password);
    const [known, unknown] = [await ask("ada@example.com"), await ask("nobody@example.com")];
    expect(known).toBe(unknown);
    expect(known).toContain("If there is an account with that address");
    await until(() => mail.mails.length > 0, 30_000);
    expect(mail.mails).toHaveLength(1);
    const [letter = ""] = mail.mails;
    expect(letter).toMatch(/^To: ada@example\.com$/m);
    const link = linkIn(mailText(letter));
    expect(mailText(letter)).toContain(`${publicUrl}${link}`);

    const browser = openBrowser();
    const form = await browser.open(link);
    // Mail programs open links by themselves: that uses nothing up.
    expect(textOf(await openBrowser().open(link))).toContain("Choose a new password");
    const chosen = { password: "green submarine 7" };
    const done = await browser.submit(form, "Set the password", chosen);
    expect(done.path).toBe("/sign-in?notice=password-set");
    const again = await browser.submit(form, "Set the password", { password: "a third one 3" });
    expect(textOf(again)).toContain("This link is no longer valid");
    expect(textOf(await browser.open(link))).toContain("This link is no longer valid");
    expect((await signedIn.send("/dashboard/settings")).status).toBe(307);
    expect((await browser.signIn("ada@example.com", password)).status).toBe(401);
    expect((await browser.signIn("ada@example.com", chosen.password)).status).toBe(200);
  });

  it.each(["", "x", "a".repeat(43), "%00", "a&token=b"])(
    "is not replaced by the link %j",
    async (token) => {
      const page = await openBrowser().open(`/reset-password?token=${token}`);
      expect([page.status, textOf(page).includes("is no longer valid")]).toEqual([200, true]);
    },
  );

  it("is asked for three times at most, whether or not there is an account", async () => {
    for (const email of [operatorsChoice, "nobody-else@example.com"]) {
      const answers = [];
      for (let time = 0; time < 4; time++) answers.push(await ask(email));
      expect(answers.map((text) => text.includes("Too many attempts"))).toEqual([
        false,
        false,
        false,
        true,
      ]);
    }
  });
});

describe("a provider", () => {
  /** Presses the button, and comes back from GitHub as the user of this id. */
  async function comeBack(browser: FormBrowser, id: number, alter = (state: string) => state) {
    const away = await browser.submit(
      await browser.open("/sign-in?next=/dashboard/settings"),
      "GitHub",
      {},
    );
    const target = new URL(away.path);
    expect(target.href).toContain(`${gitHub.url}/login/oauth/authorize?`);
    expect(target.searchParams.get("redirect_uri")).toBe(`${publicUrl}/api/auth/callback/github`);
    const state = alter(target.searchParams.get("state") ?? "");
    return browser.open(`/api/auth/callback/github?code=code-${id}&state=${state}`);
  }

  it("signs in to the account that the operator made for the address, again and again", async () => {
    for (let time = 0; time < 2; time++) {
      const browser = openBrowser();
      const page = await comeBack(browser, 1);
      expect(page.path).toBe("/dashboard/settings");
      expect(textOf(page)).toContain(operatorsChoice);
      expect(textOf(page)).toContain("This account has none yet");
    }
  });

  it.each([
    [2, "New accounts are created by the operator"],
    [3, "There is an account with that e-mail address"],
    [4, "Your account at the provider has no verified e-mail address"],
    [9, "Sign-in failed"],
  ])("does not let user %i in, and says why", async (id, sentence) => {
    const browser = openBrowser();
    const page = await comeBack(browser, id);
    expect(textOf(page)).toContain(sentence);
    expect(browser.session).toBeUndefined();
  });

  it("signs in nobody who did not set out from this browser", async () => {
    const browser = openBrowser();
    expect(textOf(await comeBack(browser, 1, () => "0"))).toContain("Sign-in failed");
    const other = openBrowser();
    await other.open("/api/auth/callback/github?code=code-1&state=0");
    expect([browser.session, other.session]).toEqual([undefined, undefined]);
  });

  it("that is not set up has no button, and no address", async () => {
    const browser = openBrowser();
    expect(textOf(await browser.open("/sign-in"))).not.toContain("Google");
    const providers = await (await browser.send("/api/auth/providers")).json();
    expect(Object.keys(providers as object)).toEqual(["credentials", "github"]);
  });
});
