import type { Metadata } from "next";
import { catalogueEntries } from "#components/catalogue/entries.ts";
import { linkedParams } from "#components/catalogue/linked-params.ts";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { Message } from "#components/forms/message.tsx";
import { failsAgain, needsUnlock } from "#components/jobs/failure-advice.ts";
import type { FormConnections } from "#components/playground/connections/context.ts";
import { describeMissing } from "#components/playground/describe-missing.ts";
import { describeOperation } from "#components/playground/describe-operation.ts";
import type { FormStart } from "#components/playground/form/form-start.ts";
import { initialValues, valuesOfParams } from "#components/playground/form/values.ts";
import { readOptions } from "#components/playground/options/read-options.ts";
import { Playground } from "#components/playground/playground.tsx";
import {
  completeSteps,
  operationOf,
  operationsOf,
  startFromChain,
  startFromRequest,
} from "#components/requests/logged-call.ts";
import { findFix } from "#components/requests/request-fix.ts";
import { chainRequest } from "#lib/api/job-creation/chain-request.ts";
import { parseFormJson } from "#lib/api/job-creation/parse-params.ts";
import { listUnavailableOperations } from "#lib/api/job-creation/unavailable-operations.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { type ConnectionOwner, listOwnConnections } from "#lib/connections/manage.ts";
import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import { findRequest } from "#lib/db/queries/requests/lists.ts";
import type { ConnectionAccess } from "#lib/db/schema/credentials/connections.ts";
import { env } from "#lib/env.ts";
import { isId } from "#lib/ids.ts";
import { hostUploads } from "#lib/jobs/accept/host-uploads.ts";
import { inputIndexOf } from "#lib/jobs/sources.ts";
import { chainName, requestedSteps } from "#lib/jobs/steps.ts";
import { type JobInputFile, serializeJobDetails, targetRequest } from "#lib/jobs/view/details.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import { plans } from "#lib/plans.ts";
import { browseConnection } from "../connections/actions.ts";
import { cancelJob } from "../jobs/actions.ts";

export const metadata: Metadata = { title: "Playground" };

interface PlaygroundPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The operation if the URL names none. */
const defaultOperation = "image/watermark-text";

const forms = operations.map(describeOperation);

export default async function PlaygroundPage({ searchParams }: PlaygroundPageProps) {
  const account = await requireAccount();
  const query = await searchParams;
  const { operation, operations: listed, from, request, fix } = query;
  const fromJob =
    typeof from === "string" ? await startFromJob(account.id, from, fix === "1") : undefined;
  const logged =
    typeof request === "string" ? await readStart(account.id, request, fix === "1") : undefined;
  const fromUrl = startFromUrl(typeof operation === "string" ? operation : defaultOperation, query);
  const linked = typeof listed === "string" ? startFromLink(listed, query) : undefined;
  const [unavailable, connections] = await Promise.all([
    listUnavailableOperations(),
    listFormConnections(account),
  ]);
  const start = fromJob ?? logged ?? linked ?? fromUrl;
  const missing = start === fromUrl ? describeMissing(query) : undefined;
  return (
    <>
      <PageHeader
        title="Playground"
        description="Run one operation, or several as one job, on your own file or on a sample. You do not need an API key."
      />
      {missing && (
        <div className="mb-6 break-words">
          <Message kind="error">{missing}</Message>
        </div>
      )}
      <Playground
        operations={forms}
        entries={catalogueEntries(unavailable)}
        unavailable={unavailable}
        isOperator={account.role === "operator"}
        start={start}
        maxFileBytes={plans[account.plan].maxFileBytes}
        uploads={hostUploads}
        baseUrl={env.APP_URL}
        connections={connections}
        accountId={account.id}
        cancel={cancelJob}
      />
    </>
  );
}

/** The connections that the form offers for inputs and for outputs. */
async function listFormConnections(account: ConnectionOwner): Promise<FormConnections> {
  const rows = await listOwnConnections(account);
  const choose = (unsuitable: ConnectionAccess) =>
    rows.filter(({ access }) => access !== unsuitable).map(({ id, name }) => ({ id, name }));
  return { readable: choose("write"), writable: choose("read"), browse: browseConnection };
}

/** The form of an operation with the parameters that the URL names, such as `format=jpeg`. */
function startFromUrl(id: string, query: Awaited<PlaygroundPageProps["searchParams"]>): FormStart {
  const form = forms.find((one) => one.id === id);
  const operation = findOperation(id);
  const linked = operation ? linkedParams(operation, query) : {};
  if (!form) return { operation: defaultOperation };
  if (Object.keys(linked).length === 0) return { operation: id };
  return { operation: id, values: { ...initialValues(form), ...linked } };
}

/**
 * The form values of an earlier job, with its fix if `isFixed`; undefined if the job does not exist or an operation
 * is not offered.
 */
async function startFromJob(
  accountId: string,
  id: string,
  isFixed: boolean,
): Promise<FormStart | undefined> {
  const row = isId(id) ? await findJob(db(), accountId, id) : undefined;
  if (!row) return undefined;
  const { inputs, job } = serializeJobDetails(row);
  const types = inputs.map(({ contentType }) => contentType);
  const isUnlocked = isFixed && needsUnlock(job, types);
  const start = startFromOperations([
    ...(isUnlocked ? [{ type: "document/unlock-pdf", params: {} }] : []),
    ...requestedSteps(row).map(({ type, params }) => ({ type, params })),
  ]);
  return (
    start && {
      ...start,
      ...startError(job, isUnlocked),
      options: readOptions({
        webhook_url: row.webhookUrl,
        metadata: row.metadata,
        ...targetRequest(row.target),
      }),
      files: inOrder(inputs)
        // Further files of operations in a chain.
        .filter(({ part }) => job.operation !== chainName || inputIndexOf(part) !== undefined)
        .map(({ part, filename, url, sourceUrl }) => ({
          part: inputIndexOf(part) === undefined ? part : "file",
          name: filename ?? "input",
          url,
          sourceUrl,
        })),
    }
  );
}

/** Why the job failed, at the field that must be changed. */
function startError({ error, error_code: code }: Job, isUnlocked: boolean): Partial<FormStart> {
  if (isUnlocked) {
    const message = "`password` is required: the PDF is unlocked first, then processed.";
    return { error: { message, code: null } };
  }
  return error !== null && failsAgain(code) ? { error: { message: error, code } } : {};
}

/** The form of a link that someone has copied; undefined if it is damaged. */
function startFromLink(
  text: string,
  { webhook_url, metadata, output, keep }: Awaited<PlaygroundPageProps["searchParams"]>,
): FormStart | undefined {
  const parsed = chainRequest.safeParse({ operations: parseFormJson(text) });
  const start = parsed.success ? startFromOperations(parsed.data.operations) : undefined;
  const options = readOptions({
    webhook_url,
    metadata: parseFormJson(metadata),
    output: parseFormJson(output),
    keep: keep === "true",
  });
  return start && { ...start, options, isLinked: true };
}

/** The form of a list of operations, as in the field `operations` of a chain. */
function startFromOperations(
  list: readonly { readonly type: string; readonly params: Record<string, unknown> }[],
): FormStart | undefined {
  const steps = list.flatMap(({ type, params }) => {
    const form = forms.find(({ id }) => id === type);
    return form ? [{ operation: form.id, values: valuesOfParams(form, params) }] : [];
  });
  const [first, ...following] = steps;
  return first && steps.length === list.length ? { ...first, following } : undefined;
}

/**
 * The form values of a request in the log, with its fix if `isFixed`; undefined if there is none, or if it named no
 * operations that exist.
 */
async function readStart(
  accountId: string,
  id: string,
  isFixed: boolean,
): Promise<FormStart | undefined> {
  const found = isId(id) ? await findRequest(db(), accountId, id) : undefined;
  const fix = found && isFixed ? findFix(found) : undefined;
  const request = fix ? { ...fix.request, error: null } : found;
  if (!request) return undefined;
  const steps = operationsOf(request);
  const form = forms.find((form) => form.id === operationOf(request)?.id);
  const chain = steps && startFromOperations(completeSteps(steps));
  const start = chain
    ? { ...chain, ...startFromChain(request) }
    : form && startFromRequest(request, form);
  if (!start || !fix) return start;
  return { ...start, fix: { before: fix.before, after: fix.after, step: fix.step } };
}

/** The files of a job with several inputs in their order. */
function inOrder(inputs: readonly JobInputFile[]): JobInputFile[] {
  const index = ({ part }: JobInputFile) => inputIndexOf(part) ?? inputs.length;
  return inputs.toSorted((one, other) => index(one) - index(other));
}
