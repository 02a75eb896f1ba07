import { AssumeRoleCommand, STSClient, STSServiceException } from "@aws-sdk/client-sts";
import type { S3Credentials } from "./s3.ts";
import { StoreError } from "./store.ts";

export interface Role {
  readonly arn: string;
  /** What the role's policy must demand, so that no other connection can assume it. */
  readonly externalId: string;
  readonly region: string;
}

/** How long the token service may send nothing, in milliseconds. It is asked three times. */
const defaultIdleMs = 5000;

/**
 * Credentials are renewed this long before they expire, a half of the hour that they are valid: what they sign is valid
 * until then, too.
 */
const renewMs = 30 * 60_000;

const known = new Map<string, { readonly credentials: S3Credentials; readonly until: number }>();

/**
 * The credentials of a role of another AWS account, which this installation assumes with its own identity: that of
 * AWS's standard variables or of its machine. Throws `StoreError`.
 */
export async function assumeRole(
  { arn, externalId, region }: Role,
  idleMs = defaultIdleMs,
): Promise<S3Credentials> {
  const key = `${arn} ${externalId}`;
  const found = known.get(key);
  if (found && found.until > Date.now()) return found.credentials;
  const limits = { connectionTimeout: idleMs, socketTimeout: idleMs };
  const client = new STSClient({ region, requestHandler: limits });
  try {
    const { Credentials } = await client.send(
      new AssumeRoleCommand({ RoleArn: arn, ExternalId: externalId, RoleSessionName: "mediamill" }),
    );
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration) {
      throw new Error("no credentials");
    }
    const credentials = {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
      expiration: Expiration,
    };
    known.set(key, { credentials, until: Expiration.getTime() - renewMs });
    return credentials;
  } catch (cause) {
    throw toStoreError(cause);
  } finally {
    client.destroy();
  }
}

function toStoreError(cause: unknown): StoreError {
  if (cause instanceof STSServiceException && cause.$fault === "client") {
    const message =
      "The role cannot be assumed. Check its ARN, and that its trust policy allows this installation and demands the external id.";
    return new StoreError(message, { isPermanent: true, cause });
  }
  if (cause instanceof Error && cause.name === "CredentialsProviderError") {
    const message = "This installation has no AWS identity with which it could assume a role.";
    return new StoreError(message, { isPermanent: true, cause });
  }
  return new StoreError("The role cannot be assumed now.", { isPermanent: false, cause });
}
