/** A browser without JavaScript: stores cookies, follows redirects, submits forms. */

export interface FormPage {
  readonly status: number;
  /** The path and query after all redirects. */
  readonly path: string;
  readonly html: string;
  readonly headers: Headers;
}

interface FormBrowserOptions {
  /** The URL in the address bar, if it differs from the URL to connect to. */
  readonly publicUrl?: string;
  /** The headers that are sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class FormBrowser {
  readonly cookies = new Map<string, string>();
  /** All `Set-Cookie` lines received. */
  readonly setCookies: string[] = [];
  readonly #url: string;
  readonly #publicUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, { publicUrl = url, headers = {} }: FormBrowserOptions = {}) {
    this.#url = url;
    this.#publicUrl = publicUrl;
    this.#headers = headers;
  }

  /**
   * Sends one request and follows no redirect. A POST has the headers of a same-origin request. The
   * header value `none at all` omits a header.
   */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(this.#headers);
    headers.set("cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    if (init.method === "POST") {
      headers.set("origin", this.#publicUrl);
      headers.set("sec-fetch-site", "same-origin");
    }
    for (const [name, value] of new Headers(init.headers)) {
      if (value === "none at all") headers.delete(name);
      else headers.set(name, value);
    }
    const response = await fetch(this.#url + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.#storeCookie(line);
    return response;
  }

  /** Opens a page and follows redirects within the service. */
  async open(path: string): Promise<FormPage> {
    return this.#follow(path, await this.send(path));
  }

  /** Fills in and submits the page's first form that contains `button` as text or markup. */
  async submit(
    page: FormPage,
    button: string,
    fields: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<FormPage> {
    const body = new FormData();
    const values = { ...hiddenFields(findForm(page.html, button)), ...fields };
    for (const [name, value] of Object.entries(values)) body.append(name, value);
    return this.#follow(page.path, await this.send(page.path, { method: "POST", body, ...init }));
  }

  /** Signs in by NextAuth's own requests, without the page. */
  async signIn(email: string, password: string, extra: Readonly<Record<string, string>> = {}) {
    const { csrfToken } = (await (await this.send("/api/auth/csrf")).json()) as Record<
      string,
      string
    >;
    const fields = { csrfToken: csrfToken ?? "", email, password, json: "true", ...extra };
    const body = new URLSearchParams(fields);
    return this.send("/api/auth/callback/credentials", { method: "POST", body });
  }

  /** The session cookie's value. Undefined without a session. */
  get session(): string | undefined {
    return [...this.cookies].find(([name]) => name.endsWith("session-token"))?.[1];
  }

  async #follow(from: string, first: Response): Promise<FormPage> {
    let path = from;
    let response = first;
    for (let hop = 0; hop < 5; hop++) {
      const location = response.headers.get("location");
      if (!location) break;
      const target = new URL(location, this.#publicUrl);
      if (target.origin !== new URL(this.#publicUrl).origin) {
        return { status: response.status, path: target.href, html: "", headers: response.headers };
      }
      path = target.pathname + target.search;
      response = await this.send(path);
    }
    const { status, headers } = response;
    return { status, path, html: await response.text(), headers };
  }

  #storeCookie(line: string): void {
    this.setCookies.push(line);
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const isDeleted = attributes.some((one) => /^max-age=0$/i.test(one)) || value === "";
    if (isDeleted) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The text of a page, without markup and scripts. */
export function textOf({ html }: Pick<FormPage, "html">): string {
  return decode(
    html
      .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
      .replace(/<!--.*?-->/gs, "")
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " "),
  );
}

function findForm(html: string, button: string): string {
  const forms = html.match(/<form\b.*?<\/form>/gs) ?? [];
  const found = forms.find(
    (form) => form.includes(button) || textOf({ html: form }).includes(button),
  );
  if (!found) throw new Error(`the page has no form with the button ${button}`);
  return found;
}

function hiddenFields(form: string): Record<string, string> {
  const inputs = form.match(/<input\b[^>]*type="hidden"[^>]*>/g) ?? [];
  const attribute = (input: string, name: string) =>
    decode(new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? "");
  return Object.fromEntries(
    inputs.map((input) => [attribute(input, "name"), attribute(input, "value")]),
  );
}

function decode(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
