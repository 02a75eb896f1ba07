import type { Metadata } from "next";
import { catalogueEntries } from "#components/catalogue/entries.ts";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { describeOperation } from "#components/playground/describe-operation.ts";
import { Playground, type PlaygroundProps } from "#components/playground/playground.tsx";
import { valuesOfParams } from "#components/playground/values.ts";
import { operationOf, startFromRequest } from "#components/requests/logged-call.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import { findRequest } from "#lib/db/queries/requests/lists.ts";
import { env } from "#lib/env.ts";
import { inputIndexOf } from "#lib/jobs/sources.ts";
import { type JobInputFile, serializeJobDetails } from "#lib/jobs/view/details.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { plans } from "#lib/plans.ts";
import { cancelJob } from "../jobs/actions.ts";

export const metadata: Metadata = { title: "Playground" };

interface PlaygroundPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The operation if the URL names none. */
const defaultOperation = "image/watermark-text";

const forms = operations.map(describeOperation);
const entries = catalogueEntries();

export default async function PlaygroundPage({ searchParams }: PlaygroundPageProps) {
  const account = await requireAccount();
  const { operation, from, request } = await searchParams;
  const fromJob = typeof from === "string" ? await startFromJob(account.id, from) : undefined;
  const logged = typeof request === "string" ? await readStart(account.id, request) : undefined;
  const fromUrl = { operation: typeof operation === "string" ? operation : defaultOperation };
  const start = fromJob ?? logged ?? fromUrl;
  return (
    <>
      <PageHeader
        title="Playground"
        description="Run an operation on your own file or on a sample. You do not need an API key."
      />
      <Playground
        operations={forms}
        entries={entries}
        start={start}
        maxFileBytes={plans[account.plan].maxFileBytes}
        baseUrl={env.APP_URL}
        accountId={account.id}
        cancel={cancelJob}
      />
    </>
  );
}

/** The form values of an earlier job; undefined if the job does not exist or is a chain. */
async function startFromJob(
  accountId: string,
  id: string,
): Promise<PlaygroundProps["start"] | undefined> {
  const row = await findJob(db(), accountId, id);
  const operation = forms.find((form) => form.id === row?.operation);
  if (!row || !operation) return undefined;
  const { inputs, job } = serializeJobDetails(row);
  return {
    operation: operation.id,
    values: valuesOfParams(operation, job.params),
    files: inOrder(inputs).map(({ part, filename, url, sourceUrl }) => ({
      part: inputIndexOf(part) === undefined ? part : "file",
      name: filename ?? "input",
      url,
      sourceUrl,
    })),
  };
}

/** The form values of a request in the log; undefined if there is none, or if it ran no operation. */
async function readStart(
  accountId: string,
  id: string,
): Promise<PlaygroundProps["start"] | undefined> {
  const request = await findRequest(db(), accountId, id);
  const operation = request && operationOf(request);
  const form = forms.find((form) => form.id === operation?.id);
  return request && form ? startFromRequest(request, form) : undefined;
}

/** The files of a job with several inputs in their order. */
function inOrder(inputs: readonly JobInputFile[]): JobInputFile[] {
  const index = ({ part }: JobInputFile) => inputIndexOf(part) ?? inputs.length;
  return inputs.toSorted((one, other) => index(one) - index(other));
}
