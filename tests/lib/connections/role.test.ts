import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { assumeRole } from "#lib/connections/stores/role.ts";
import { createS3Signer } from "#lib/connections/stores/s3.ts";

/** A server that speaks as AWS's token service does. */

const external = "0123456789abcdef";
/** Its requests get no response. */
const hanging = "hanging";
const requests: URLSearchParams[] = [];
/** Its sessions have names in the order in which they begin. */
let validMinutes = 60;
const server = createServer(async (request, response) => {
  const fields = new URLSearchParams(await text(request));
  requests.push(fields);
  if (fields.get("ExternalId") === hanging) return;
  if (fields.get("ExternalId") !== external) {
    const error = `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>`;
    return void response.writeHead(403, { "content-type": "text/xml" }).end(error);
  }
  const until = new Date(Date.now() + validMinutes * 60_000).toISOString();
  const token = `t${requests.length}`;
  const credentials = `<Credentials><AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>${token}</SessionToken><Expiration>${until}</Expiration></Credentials>`;
  const body = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>${credentials}</AssumeRoleResult></AssumeRoleResponse>`;
  response.writeHead(200, { "content-type": "text/xml" }).end(body);
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("AWS_ENDPOINT_URL_STS", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIA1");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
});
beforeEach(() => {
  requests.length = 0;
  validMinutes = 60;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
});

const role = { arn: "arn:aws:iam::123456789012:role/mediamill", region: "eu-central-1" };

it("a role is assumed with its external id, once until its credentials expire", async () => {
  const credentials = {
    accessKeyId: "ASIA1",
    secretAccessKey: "s",
    sessionToken: "t1",
    expiration: expect.any(Date),
  };
  expect(await assumeRole({ ...role, externalId: external })).toEqual(credentials);
  expect(await assumeRole({ ...role, externalId: external })).toEqual(credentials);
  expect(requests).toHaveLength(1);
  expect(Object.fromEntries(requests[0] ?? [])).toMatchObject({
    Action: "AssumeRole",
    RoleArn: role.arn,
    ExternalId: external,
  });
});

it("a role is assumed again before a request would be valid for less than half an hour", async () => {
  const assume = async (arn: string) => {
    const { sessionToken } = await assumeRole({ ...role, arn, externalId: external });
    return sessionToken;
  };
  validMinutes = 29;
  expect(await assume("short")).toBe("t1");
  expect(await assume("short")).toBe("t2");
  validMinutes = 60;
  expect(await assume("long")).toBe("t3");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 29 * 60_000 });
  expect(await assume("long")).toBe("t3");
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect(await assume("long")).toBe("t4");
});

it("an export that takes longer than a session goes on with the next one", async () => {
  const { multipart } = createS3Signer({
    bucket: "videos",
    region: role.region,
    credentials: () => assumeRole({ ...role, arn: "slow", externalId: external }),
  });
  const tokenOfPart = async (number: number) => {
    const url = new URL((await multipart?.part("a.mp4", "1", number))?.url ?? "");
    return url.searchParams.get("X-Amz-Security-Token");
  };
  expect(await tokenOfPart(1)).toBe("t1");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 56 * 60_000 });
  // The client of AWS may sign once more while it gets the next session.
  await expect.poll(() => tokenOfPart(2)).toBe("t2");
});

it("a role whose policy demands another external id is refused, for good", async () => {
  const refused = assumeRole({ ...role, externalId: "another" });
  await expect(refused).rejects.toMatchObject({
    isPermanent: true,
    message: expect.stringContaining("demands the external id"),
  });
});

it("a token service that hangs is not waited for", async () => {
  const hung = assumeRole({ ...role, externalId: hanging }, 200);
  await expect(hung).rejects.toMatchObject({
    isPermanent: false,
    message: "The role cannot be assumed now.",
  });
});
