import type { Metadata } from "next";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { describeOperation } from "#components/playground/describe-operation.ts";
import { Playground, type PlaygroundProps } from "#components/playground/playground.tsx";
import { valuesOfParams } from "#components/playground/values.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import { env } from "#lib/env.ts";
import { serializeJobDetails } from "#lib/jobs/view/details.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { plans } from "#lib/plans.ts";
import { cancelJob } from "../jobs/actions.ts";

export const metadata: Metadata = { title: "Playground" };

interface PlaygroundPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What is tried where the address names nothing. */
const firstOperation = "image/watermark-text";

const described = operations.map(describeOperation);

export default async function PlaygroundPage({ searchParams }: PlaygroundPageProps) {
  const account = await requireAccount();
  const { operation, from } = await searchParams;
  const earlier = typeof from === "string" ? await startFromJob(account.id, from) : undefined;
  const asked = { operation: typeof operation === "string" ? operation : firstOperation };
  const start = earlier ?? asked;
  return (
    <>
      <PageHeader
        title="Playground"
        description="Try an operation on a file of yours, or on one of ours, without a key."
      />
      <Playground
        operations={described}
        start={start}
        maxFileBytes={plans[account.plan].maxFileBytes}
        baseUrl={env.APP_URL}
        cancel={cancelJob}
      />
    </>
  );
}

/** The form as an earlier job of the account had it; undefined where it has no such job, or a chain. */
async function startFromJob(
  accountId: string,
  id: string,
): Promise<PlaygroundProps["start"] | undefined> {
  const row = await findJob(db(), accountId, id);
  const operation = described.find((one) => one.id === row?.operation);
  if (!row || !operation) return undefined;
  const { inputs, job } = serializeJobDetails(row);
  return {
    operation: operation.id,
    values: valuesOfParams(operation, job.params),
    files: inputs.map(({ part, filename, url, address }) => ({
      part,
      name: filename ?? "input",
      url,
      address,
    })),
  };
}
