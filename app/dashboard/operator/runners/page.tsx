import { ServerOffIcon } from "lucide-react";
import type { Metadata } from "next";
import { OperatorHeader } from "#components/operator/operator-header.tsx";
import { RunnerCard } from "#components/operator/runner-card.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { liveSeconds } from "#lib/db/queries/jobs/runners.ts";
import { listRunners } from "#lib/db/queries/operator/runners.ts";

export const metadata: Metadata = { title: "Runners" };

export default async function RunnersPage() {
  await requireOperator();
  const runners = await listRunners(db(), liveSeconds);
  const alive = runners.filter(({ isAlive }) => isAlive).length;
  const now = new Date().toISOString();
  return (
    <>
      <OperatorHeader
        title="Runners"
        description={`${alive} alive: with a heartbeat in the last ${liveSeconds} seconds.`}
      />
      {runners.length === 0 && (
        <Card>
          <EmptyState icon={ServerOffIcon} title="No runner is alive">
            Jobs wait until one starts. Start it with <code>npm run runner -- media</code>, and look
            for errors in its log.
          </EmptyState>
        </Card>
      )}
      <div className="grid grid-cols-1 gap-6">
        {runners.map((runner) => (
          <RunnerCard key={runner.id} runner={runner} now={now} />
        ))}
      </div>
    </>
  );
}
