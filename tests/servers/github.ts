import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** An account at this GitHub server. */
export interface GitHubUser {
  readonly id: number;
  readonly login: string;
  readonly emails: readonly { email: string; primary: boolean; verified: boolean }[];
}

/**
 * Starts a server with the endpoints of GitHub Enterprise Server for sign-in. The code `code-<id>`
 * yields a token for the user with that id.
 */
export async function startGitHub(users: readonly GitHubUser[]) {
  const server = createServer(async (request, response) => {
    const respond = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? "/", "http://github");
    if (pathname === "/login/oauth/access_token") {
      const code = new URLSearchParams(await text(request)).get("code") ?? "";
      const id = /^code-(\d+)$/.exec(code)?.[1];
      if (!id) return respond(200, { error: "bad_verification_code" });
      return respond(200, {
        access_token: `token-${id}`,
        token_type: "bearer",
        scope: "user:email",
      });
    }
    const id = /^bearer token-(\d+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const user = users.find((one) => String(one.id) === id);
    if (!user) return respond(401, { message: "Bad credentials" });
    const { emails, ...profile } = user;
    if (pathname === "/api/v3/user") return respond(200, { ...profile, name: null, email: null });
    return respond(200, emails);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
