import { z } from "zod";
import { findPathFault } from "#lib/connections/file-reference.ts";
import { findPlaceholderFault, placeholderList } from "#lib/connections/target-path.ts";
import { findUseFault } from "#lib/connections/use-connection.ts";
import { RequestError } from "#lib/errors.ts";
import type { ExportTarget } from "#lib/jobs/secrets.ts";
import { obstacleMessage } from "#lib/net/guard.ts";
import { networkFor } from "#lib/net/network.ts";
import type { RequestBody } from "../http/body.ts";
import {
  type FieldSchema,
  inputSchema,
  reportInput,
  schemaMessage,
} from "../http/schema-messages.ts";
import { urlText } from "../http/url-field.ts";
import { parseFormFields, requireFewFields, requireFormJson } from "./parse-params.ts";

/** The field `output` of a job-creating request: where its outputs are sent. */

/** The most URLs of a target. The limit of a JSON body is reached at about as many. */
const maxUrls = 500;

const maxHeaders = 50;
const maxHeaderLength = 4096;

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible ASCII with spaces between. */
const headerValue = /^[!-~](?:[ \t!-~]*[!-~])?$|^$/;

/** Headers that belong to the connection, or that the service writes. */
const ownHeaders =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|expect|te|trailer|upgrade|user-agent|proxy-.*)$/i;

const headers = z
  .record(z.string(), z.string("must have texts as values"), "must be an object of text values")
  .superRefine((values, context) => {
    const report = (message: string) => context.addIssue({ code: "custom", message });
    const names = Object.keys(values);
    if (names.length > maxHeaders) report(`must have at most ${maxHeaders} headers`);
    const wrong = names.find((name) => !headerName.test(name) || ownHeaders.test(name));
    if (wrong !== undefined)
      report(`must not have the header ${JSON.stringify(wrong.slice(0, 80))}`);
    const isValue = (value: string) => value.length <= maxHeaderLength && headerValue.test(value);
    if (!Object.values(values).every(isValue)) {
      report(`must have values of at most ${maxHeaderLength} visible ASCII characters`);
    }
  })
  .describe("Headers of the request, such as x-ms-blob-type for Azure.");

const targetSchema = z
  .strictObject(
    {
      url: urlText.optional().describe("The presigned URL, for one output."),
      urls: z
        .array(urlText, "must be a list of URLs")
        .min(1, "must have at least one URL")
        .max(maxUrls, `must have at most ${maxUrls} URLs`)
        .optional()
        .describe("A presigned URL for each output, in order."),
      headers: headers.optional(),
      connection: z
        .string("must be the id of a connection")
        .regex(/^conn_[0-9A-Za-z]{24}$/, "must be the id of a connection")
        .optional()
        .describe("A connection, in place of a URL."),
      path: z
        .string("must be a text")
        .superRefine((path, context) => {
          const fault = findPathFault(path) ?? findPlaceholderFault(path);
          if (fault) context.addIssue({ code: "custom", message: fault });
        })
        .optional()
        .describe(
          `The path in the connection; {filename} by default. Placeholders: ${placeholderList}.`,
        ),
      overwrite: z
        .boolean("must be true or false")
        .optional()
        .describe("Whether a file with this path in the connection is replaced."),
    },
    "must be an object with `url`, `urls` or `connection`",
  )
  .superRefine((target, context) => {
    const given = (["url", "urls", "connection"] as const).filter((name) => target[name]);
    const report = (message: string) => context.addIssue({ code: "custom", message });
    if (given.length !== 1) report("must have one of `url`, `urls` and `connection`");
    const names = target.connection ? (["headers"] as const) : (["path", "overwrite"] as const);
    const extra = names.find((name) => target[name] !== undefined);
    if (extra && target.connection) report(`must not have \`${extra}\` with \`connection\``);
    else if (extra) report(`must not have \`${extra}\` without \`connection\``);
  })
  .describe(
    "Where the outputs are sent: by PUT to presigned URLs, or to a connection. The job is completed once the store has confirmed them. They are not kept here, unless keep is true.",
  );

/** The JSON Schemas of the fields. */
export const targetField: FieldSchema = inputSchema(targetSchema);
export const keepField: FieldSchema = {
  type: "boolean",
  default: false,
  description: "Whether outputs that are sent to output are kept here as well.",
};

/** The target of a request; null if it has none. Throws `invalid_parameter`. */
export function parseTarget(
  output: unknown,
  keep: unknown,
  encoding: RequestBody["encoding"],
): ExportTarget | null {
  const keeps = parseKeep(keep, encoding);
  if (output === undefined) {
    if (keep === undefined) return null;
    throw invalid("`keep` needs `output`: without it, all outputs are kept.");
  }
  const allowed = "an object with `url`, `urls` or `connection`";
  const value = encoding === "multipart" ? requireFormJson("output", output, allowed) : output;
  requireFewFields(value, "output");
  const parsed = targetSchema.safeParse(value, reportInput);
  if (!parsed.success) throw invalid(targetMessage(parsed.error));
  const { url, urls = url === undefined ? [] : [url], headers: given = {} } = parsed.data;
  const { connection: id, path = "{filename}", overwrite = false } = parsed.data;
  if (id !== undefined) {
    return { urls: [], headers: {}, keep: keeps, connection: { id, path, overwrite } };
  }
  for (const [index, one] of urls.entries()) {
    const obstacle = networkFor("exports").guard.findObstacle(new URL(one), "exports");
    const field = url === undefined ? `output.urls[${index}]` : "output.url";
    if (obstacle) throw invalid(`\`${field}\` ${obstacleMessage(obstacle, "exports")}.`);
  }
  return { urls, headers: given, keep: keeps };
}

/** Throws `invalid_parameter` if a target's connection cannot be used for these operations. */
export async function requireUsableTarget(
  target: ExportTarget | null,
  accountId: string,
  operations: readonly string[],
): Promise<void> {
  if (!target?.connection) return;
  const { id: connectionId } = target.connection;
  const fault = await findUseFault({ accountId, connectionId, operations, access: "write" });
  if (fault !== undefined) throw invalid(`\`output.connection\` ${fault}.`);
}

function parseKeep(given: unknown, encoding: RequestBody["encoding"]): boolean {
  if (given === undefined) return false;
  const fields = { keep: given };
  const { keep } =
    encoding === "multipart"
      ? parseFormFields(fields, { properties: { keep: keepField } })
      : fields;
  if (typeof keep === "boolean") return keep;
  throw invalid("`keep` must be true or false.");
}

/** The message about a field of the target, with its path: "`output.url` must be …". */
function targetMessage(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map((one) =>
    typeof one === "number" ? `[${one}]` : `.${String(one)}`,
  );
  const isOwn = issue?.code !== "unrecognized_keys" && /^(?:must|has)\b/.test(issue?.message ?? "");
  if (issue && isOwn) return `\`output${path.join("")}\` ${issue.message}.`;
  return schemaMessage(error, targetField).replace(/^`(?=[a-z])/, "`output.");
}

function invalid(message: string): RequestError {
  return new RequestError("invalid_parameter", message);
}
