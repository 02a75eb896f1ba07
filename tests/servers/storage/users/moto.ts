import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { pythonServers } from "#lib/setup/test-servers.mjs";
import { freePort } from "#tests/service/stack.ts";
import { canonicalQuery, isSignedUrl, signByHeader } from "../aws-signature.ts";
import { type Decision, s3Error, startHttpFront } from "./http-front.ts";
import { type RealStore, serve } from "./real-store.ts";

/** moto, which serves S3, IAM and the token service, and decides by policies who may do what. */

/** Of keys, and of roles. */
const buckets = ["videos", "role-videos"] as const;
const region = "us-east-1";
const account = "arn:aws:iam::123456789012";
const anyAction = ["s3:*"];
const onlyRead = ["s3:GetObject", "s3:ListBucket"];
const onlyWrite = ["s3:PutObject", "s3:DeleteObject"];

interface Key {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface MotoStores {
  readonly s3: RealStore;
  readonly role: RealStore;
  /** The variables of a service that assumes roles here. */
  readonly variables: Record<string, string>;
  /** The ids of uploads in parts that are not complete. */
  listUploads(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startMoto(): Promise<MotoStores> {
  const port = await freePort();
  const program = join(pythonServers, "bin/moto_server");
  const moto = await serve(port, [program, "-H", "127.0.0.1", "-p", String(port)]);
  const keys = new Map<string, Key>();
  let rootKey: Key = { accessKeyId: "before", secretAccessKey: "users" };
  const admin = async (service: string, path: string, init: RequestInit, key = rootKey) => {
    const { method = "GET", body } = init;
    const url = `http://127.0.0.1:${port}${path}`;
    const headers = signByHeader({ method, url, headers: {} }, key, { region, service });
    const type = {
      "content-type": service === "iam" ? "application/x-www-form-urlencoded" : "text/plain",
    };
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...type },
      body: body ?? null,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`moto responded with ${response.status}: ${text}`);
    return text;
  };
  const call = (action: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ Action: action, Version: "2010-05-08", ...fields });
    return admin("iam", "/", { method: "POST", body: body.toString() });
  };
  const makeUser = async (name: string, actions: readonly string[]) => {
    await call("CreateUser", { UserName: name });
    const policy = { PolicyName: name, PolicyDocument: allow(actions) };
    await call("PutUserPolicy", { UserName: name, ...policy });
    const made = await call("CreateAccessKey", { UserName: name });
    const key = {
      accessKeyId: textOf(made, "AccessKeyId"),
      secretAccessKey: textOf(made, "SecretAccessKey"),
    };
    keys.set(key.accessKeyId, key);
    return key;
  };
  /** External ids that the roles demand: any of them. */
  const trusted = ["none"];
  const roles = { owner: anyAction, reader: onlyRead, writer: onlyWrite, untrusted: anyAction };
  const trustOf = (name: string) => {
    const ids = name === "untrusted" ? ["another"] : trusted;
    const Condition = { StringEquals: { "sts:ExternalId": ids } };
    const Principal = { AWS: `${account}:user/installation` };
    const statement = { Effect: "Allow", Principal, Action: "sts:AssumeRole", Condition };
    return JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
  };
  for (const bucket of buckets) await admin("s3", `/${bucket}`, { method: "PUT" });
  rootKey = await makeUser("root", ["*"]);
  const owner = await makeUser("owner", anyAction);
  const reader = await makeUser("reader", onlyRead);
  const writer = await makeUser("writer", onlyWrite);
  const installation = await makeUser("installation", ["sts:AssumeRole"]);
  for (const [name, actions] of Object.entries(roles)) {
    await call("CreateRole", { RoleName: name, AssumeRolePolicyDocument: trustOf(name) });
    const policy = { PolicyName: name, PolicyDocument: allow(actions) };
    await call("PutRolePolicy", { RoleName: name, ...policy });
  }
  // From now on, moto checks signatures and policies.
  await admin("s3", "/moto-api/reset-auth", { method: "POST", body: "0" });

  const start = () =>
    startHttpFront({
      port,
      isFile: ({ url = "/" }) => new URL(url, "http://store").pathname.split("/").length > 2,
      decide: (request) => decide(request, keys, port),
      fullBody: s3Error("InsufficientStorage"),
      rewrite(request, _status, body) {
        if (request.method === "POST" && body.includes("<AssumeRoleResult>")) {
          const accessKeyId = textOf(body, "AccessKeyId");
          const secretAccessKey = textOf(body, "SecretAccessKey");
          const sessionToken = textOf(body, "SessionToken");
          keys.set(accessKeyId, { accessKeyId, secretAccessKey, sessionToken });
        }
        return undefined;
      },
    });
  const [front, roleFront] = await Promise.all([start(), start()]);
  const endpoint = `http://127.0.0.1:${front.port}`;
  const fieldsOf = ({ accessKeyId, secretAccessKey }: Key) => ({
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
  });
  const wrong = randomBytes(20).toString("hex");
  const [bucket, roleBucket] = buckets;
  const stay = async () => {};
  const s3: RealStore = {
    type: "s3",
    faults: front.faults,
    sentBytes: front.sentBytes,
    close: stay,
    fields: { bucket, endpoint, ...fieldsOf(owner) },
    others: {
      wrongSecret: { secret_access_key: wrong },
      readOnly: fieldsOf(reader),
      noReading: fieldsOf(writer),
      missingRoot: { bucket: "none" },
      privateAddress: { endpoint: "http://10.0.0.1:9000" },
    },
    secrets: [wrong, ...[owner, reader, writer].map((key) => key.secretAccessKey)],
  };
  const roleArn = (name: keyof typeof roles) => ({ role_arn: `${account}:role/${name}` });
  const role: RealStore = {
    type: "s3_role",
    faults: roleFront.faults,
    sentBytes: roleFront.sentBytes,
    close: stay,
    fields: { bucket: roleBucket, ...roleArn("owner") },
    others: {
      wrongSecret: roleArn("untrusted"),
      readOnly: roleArn("reader"),
      noReading: roleArn("writer"),
      missingRoot: { bucket: "none" },
    },
    get secrets() {
      const temporary = [...keys.values()].filter(({ sessionToken }) => sessionToken);
      const texts = temporary.flatMap((key) => [key.secretAccessKey, key.sessionToken ?? ""]);
      return [installation.secretAccessKey, ...texts];
    },
    async trust(externalId) {
      trusted.push(externalId);
      for (const name of Object.keys(roles)) {
        await call("UpdateAssumeRolePolicy", { RoleName: name, PolicyDocument: trustOf(name) });
      }
    },
  };
  return {
    s3,
    role,
    variables: {
      AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${roleFront.port}`,
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${roleFront.port}`,
      AWS_ACCESS_KEY_ID: installation.accessKeyId,
      AWS_SECRET_ACCESS_KEY: installation.secretAccessKey,
      AWS_REGION: region,
    },
    async listUploads() {
      const list = await admin("s3", `/${bucket}?uploads=`, {}, owner);
      return [...list.matchAll(/<UploadId>([^<]+)/g)].map(([, id = ""]) => id);
    },
    async close() {
      await Promise.all([front.close(), roleFront.close()]);
      await moto.stop();
    },
  };
}

/** Checks the signature of a URL, which moto does not, and signs the request as moto checks it. */
function decide(request: IncomingMessage, keys: ReadonlyMap<string, Key>, port: number): Decision {
  const { method = "GET", url = "/", headers } = request;
  // Requests to the token service are signed by their headers.
  if (headers.authorization) return {};
  const whole = new URL(url, `http://127.0.0.1:${port}`);
  const key = keys.get(whole.searchParams.get("X-Amz-Credential")?.split("/")[0] ?? "");
  const token = whole.searchParams.get("X-Amz-Security-Token") ?? undefined;
  if (!key) return { status: 403, body: s3Error("InvalidAccessKeyId") };
  if (!isSignedUrl(request, key.secretAccessKey) || token !== key.sessionToken) {
    return { status: 403, body: s3Error("SignatureDoesNotMatch") };
  }
  const names = [...whole.searchParams.keys()].filter((name) => /^X-Amz-/i.test(name));
  for (const name of names) whole.searchParams.delete(name);
  const signed = signByHeader({ method, url: whole.href, headers }, key, { region, service: "s3" });
  return { url: `${whole.pathname}?${canonicalQuery(whole.searchParams)}`, headers: signed };
}

function allow(actions: readonly string[]): string {
  const Statement = [{ Effect: "Allow", Action: actions, Resource: "*" }];
  return JSON.stringify({ Version: "2012-10-17", Statement });
}

/** The text of the only element with this name. */
function textOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]+)`).exec(xml)?.[1] ?? "";
}
