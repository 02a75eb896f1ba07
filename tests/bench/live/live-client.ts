import type { ServedPicture, ServedPreview } from "#lib/api/endpoints/live/preview.ts";
import { insertAccount } from "#tests/service/accounts.ts";
import { FormBrowser } from "#tests/service/http/form-browser.ts";
import type { Stack } from "#tests/service/stack.ts";

/** A signed-in browser that asks for live previews, as the playground does. */
export class LiveClient {
  readonly #browser: FormBrowser;

  private constructor(browser: FormBrowser) {
    this.#browser = browser;
  }

  static async signIn(stack: Pick<Stack, "url" | "dataDir">): Promise<LiveClient> {
    const password = "purple lighthouse 9";
    const { email } = await insertAccount({ password, plan: "enterprise" }, stack.dataDir);
    const browser = new FormBrowser(stack.url);
    await browser.signIn(email, password);
    return new LiveClient(browser);
  }

  /** Uploads a file and returns the id of the upload. */
  async upload(filename: string, bytes: Uint8Array): Promise<string> {
    const { id, url } = await this.#post<{ id: string; url: string }>("/dashboard/api/uploads", {
      filename,
      bytes: bytes.byteLength,
    });
    const sent = await fetch(url, { method: "PUT", body: Buffer.from(bytes) });
    if (!sent.ok) throw new Error(`the upload got ${sent.status}`);
    return id;
  }

  async preview(
    operation: string,
    upload: string | undefined,
    params: Readonly<Record<string, unknown>>,
  ): Promise<ServedPicture> {
    const body = upload === undefined ? { params } : { upload, params };
    const { picture, message } = await this.#post<ServedPreview>(
      `/dashboard/api/live/${operation}`,
      body,
    );
    if (!picture) throw new Error(`${operation}: ${message}`);
    return picture;
  }

  async #post<Body>(path: string, body: unknown): Promise<Body> {
    const response = await this.#browser.send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} got ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body; // the service's response
  }
}
