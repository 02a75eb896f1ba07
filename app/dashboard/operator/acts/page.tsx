import type { Metadata } from "next";
import { CursorPager } from "#components/dashboard/cursor-pager.tsx";
import { ActList } from "#components/operator/act-list.tsx";
import { OperatorHeader } from "#components/operator/operator-header.tsx";
import { Card } from "#components/ui/card.tsx";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listOperatorActs } from "#lib/db/queries/operator/acts.ts";
import { readText } from "../read-text.ts";

export const metadata: Metadata = { title: "Audit log" };

const pageSize = 50;

interface ActsPageProps {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ActsPage({ searchParams }: ActsPageProps) {
  await requireOperator();
  const before = readText((await searchParams).before);
  const found = await listOperatorActs(db(), { before, limit: pageSize + 1 });
  const acts = found.slice(0, pageSize);
  const last = found.length > pageSize ? acts.at(-1) : undefined;
  return (
    <>
      <OperatorHeader
        title="Audit log"
        description="Here and with the admin command, newest first. Kept for one year."
      />
      <Card aria-label="Audit log" className="overflow-hidden">
        <ActList acts={acts} />
      </Card>
      <div className="mt-4">
        <CursorPager
          newer={before ? "/dashboard/operator/acts" : undefined}
          older={last ? `/dashboard/operator/acts?before=${last.id}` : undefined}
        />
      </div>
    </>
  );
}
