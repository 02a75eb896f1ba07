import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { type LinkQuery, linkedParams } from "#components/catalogue/linked-params.ts";
import { docsAlternates } from "#components/docs/alternates.ts";
import { OperationPage } from "#components/docs/reference/operation-page.tsx";
import { findUnavailable } from "#lib/api/job-creation/unavailable-operations.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

interface OperationRouteProps {
  readonly params: Promise<{ readonly section: string; readonly operation: string }>;
  readonly searchParams: Promise<LinkQuery>;
}

export async function generateMetadata({ params }: OperationRouteProps): Promise<Metadata> {
  const { section, operation } = await params;
  const found = findOperation(`${section}/${operation}`);
  if (!found) return {};
  const alternates = docsAlternates(`/docs/${found.id}`);
  return { title: found.title, description: found.summary, alternates };
}

export default async function OperationRoute({ params, searchParams }: OperationRouteProps) {
  const { section, operation } = await params;
  const found = findOperation(`${section}/${operation}`);
  if (!found) notFound();
  const [query, unavailable] = await Promise.all([searchParams, findUnavailable(found)]);
  return (
    <OperationPage
      operation={found}
      linked={linkedParams(found, query)}
      unavailable={unavailable}
    />
  );
}
