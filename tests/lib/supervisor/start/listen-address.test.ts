import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { chooseListenPort } from "#lib/supervisor/start/listen-address.ts";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { freePort } from "#tests/service/stack.ts";

const ports = { IMGPROXY_PORT: undefined, GOTENBERG_PORT: undefined, HOST: "127.0.0.1" };

/** Another test of the same worker may have set it. */
const before = process.env.API_BIND_IP;
beforeEach(() => {
  delete process.env.API_BIND_IP;
});
afterEach(() => {
  if (before === undefined) delete process.env.API_BIND_IP;
  else process.env.API_BIND_IP = before;
});

/** A port that is in use until the test has ended. */
async function usePort(host = "127.0.0.1"): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return address.port;
}

test.each(["PORT", "IMGPROXY_PORT", "GOTENBERG_PORT"] as const)(
  "%s in use stops the start with one line that names it",
  async (name) => {
    const port = await usePort();
    const start = chooseListenPort({ PORT: 0, ...ports, [name]: port });
    await expect(start).rejects.toThrow(
      new StartError(`${name}: ${port} is in use; set ${name} to a free port`),
    );
  },
);

test.each([
  ["IMGPROXY_PORT", "PORT"],
  ["GOTENBERG_PORT", "PORT"],
  ["GOTENBERG_PORT", "IMGPROXY_PORT"],
] as const)("%s stops the start if it is the port of %s", async (name, other) => {
  const port = await freePort();
  const start = chooseListenPort({ PORT: 0, ...ports, [name]: port, [other]: port });
  await expect(start).rejects.toThrow(
    new StartError(`${name}: ${port} is the port of ${other}; set ${name} to another port`),
  );
});

test("the port for clients of Gotenberg is checked on API_BIND_IP", async () => {
  process.env.API_BIND_IP = "127.0.0.2";
  const free = await freePort();
  // The same port of another host.
  const variables = { PORT: free, ...ports, GOTENBERG_PORT: free };
  expect(await chooseListenPort(variables)).toBe(free);
  const used = await usePort("127.0.0.2");
  await expect(chooseListenPort({ ...variables, GOTENBERG_PORT: used })).rejects.toThrow(
    `GOTENBERG_PORT: ${used} is in use`,
  );
  // An address of a documentation network, which no machine has.
  process.env.API_BIND_IP = "192.0.2.1";
  await expect(chooseListenPort(variables)).rejects.toThrow(
    "API_BIND_IP: 192.0.2.1 is not an address of this machine; set API_BIND_IP to an address of this machine, or leave it unset",
  );
});

test("without further ports, and with any free one, web gets its port", async () => {
  const port = await freePort();
  expect(await chooseListenPort({ ...ports, PORT: port })).toBe(port);
  expect(await chooseListenPort({ ...ports, PORT: port, IMGPROXY_PORT: 0 })).toBe(port);
});
