import type { Metadata } from "next";
import { formatBytes, formatDuration } from "#components/format.ts";
import { Figures } from "#components/operator/figures.tsx";
import { OperatorHeader } from "#components/operator/operator-header.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { requireOperator } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { keptActDays } from "#lib/db/queries/operator/acts.ts";
import { keptCheckDays } from "#lib/db/queries/operator/status-checks.ts";
import {
  countStoredFiles,
  maxCountedFiles,
  readDatabaseBytes,
} from "#lib/db/queries/operator/storage.ts";
import { keptRequestDays } from "#lib/db/queries/requests/partitions.ts";
import { env } from "#lib/env.ts";
import { listSettings, readDisk, type Setting } from "#lib/operator/settings.ts";
import { planNames } from "#lib/plans.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";

export const metadata: Metadata = { title: "Storage and settings" };

export default async function StoragePage() {
  await requireOperator();
  const [files, databaseBytes, disk] = await Promise.all([
    countStoredFiles(db()),
    readDatabaseBytes(db()),
    readDisk(),
  ]);
  const atLeast = files.jobs >= maxCountedFiles ? "at least " : "";
  const count = (number: number) => number.toLocaleString("en");
  const days = env.JOB_RETENTION_DAYS;
  const rules = [
    ...planNames.map((plan) => ({
      id: `Files of jobs, plan ${plan}`,
      value: formatHours(retentionHoursByPlan[plan]),
    })),
    { id: "Records of jobs", value: days === "forever" ? "Forever" : `${days} days` },
    { id: "API requests", value: `${keptRequestDays} days` },
    { id: "Audit log", value: `${keptActDays} days` },
    { id: "Status checks", value: `${keptCheckDays} days` },
  ];
  return (
    <>
      <OperatorHeader
        title="Storage and settings"
        description="What is stored, how long, and the settings in force."
      />
      <div className="grid grid-cols-1 gap-6">
        <Figures
          figures={[
            ["Inputs of ended jobs", atLeast + formatBytes(files.inputBytes)],
            ["Outputs of ended jobs", atLeast + formatBytes(files.outputBytes)],
            ["Ended jobs with files", atLeast + count(files.jobs)],
            [
              "Uploads without a job",
              `${count(files.uploads)} (${formatBytes(files.uploadBytes)})`,
            ],
            [
              "Jobs with files past their retention",
              files.expiredJobs === 0
                ? "0"
                : `${count(files.expiredJobs)} (${formatDuration(files.expiredSeconds * 1000)})`,
            ],
            ["Database", formatBytes(databaseBytes)],
            ["Storage", env.STORAGE],
            [
              "Free on the disk of the web process",
              disk ? `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)}` : "–",
            ],
          ]}
        />
        <Card aria-labelledby="retention" className="overflow-hidden">
          <CardHeader>
            <div>
              <CardTitle id="retention">Retention</CardTitle>
              <CardDescription>
                Every minute, the sweep deletes what is past its retention.
              </CardDescription>
            </div>
          </CardHeader>
          <CardContent className="px-0 pb-0">
            <DataTable label="Retention" columns={ruleColumns} rows={rules} empty={null} />
          </CardContent>
        </Card>
        <Card aria-labelledby="settings" className="overflow-hidden">
          <CardHeader>
            <div>
              <CardTitle id="settings">Settings</CardTitle>
              <CardDescription>
                The environment of the web process, with defaults. Secrets are masked.
              </CardDescription>
            </div>
          </CardHeader>
          <CardContent className="px-0 pb-0">
            <DataTable
              label="Settings"
              columns={settingColumns}
              rows={listSettings().map((setting) => ({ ...setting, id: setting.name }))}
              empty={null}
            />
          </CardContent>
        </Card>
      </div>
    </>
  );
}

/** Formats hours as `36 hours`, or as `7 days` if they are whole days. */
function formatHours(hours: number): string {
  return hours >= 48 && hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`;
}

const ruleColumns: readonly Column<{ readonly id: string; readonly value: string }>[] = [
  { header: "What", cell: ({ id }) => id },
  { header: "Kept", align: "right", className: "whitespace-nowrap", cell: ({ value }) => value },
];

const settingColumns: readonly Column<Setting & { readonly id: string }>[] = [
  { header: "Variable", className: "font-mono text-xs", cell: ({ name }) => name },
  {
    header: "Value",
    className: "font-mono text-xs whitespace-normal wrap-anywhere",
    cell: ({ value }) => value ?? <span className="text-muted-foreground">Not set</span>,
  },
];
