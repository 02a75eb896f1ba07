import type { ReactNode } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { RunnerReport } from "#lib/db/schema/runners.ts";

interface RunnerCardProps {
  readonly runner: {
    readonly id: string;
    readonly kind: string;
    readonly report: RunnerReport;
    readonly startedAt: Date;
    readonly lastHeartbeatAt: Date;
    readonly isAlive: boolean;
  };
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
}

const limitNames: Readonly<Record<string, string>> = {
  memory: "Memory limit",
  processes: "Process limit",
};

/** What a runner reports about itself: its engines, their sandbox and the hardware. */
export function RunnerCard({ runner, now }: RunnerCardProps) {
  const { id, kind, report, startedAt, lastHeartbeatAt, isAlive } = runner;
  const engines = Object.entries(report.engines);
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <div className="min-w-0">
          <CardTitle id={id} className="wrap-anywhere">
            {kind === "media" ? "Media runner" : "Webhook runner"}
          </CardTitle>
          <CardDescription>
            <span className="font-mono text-xs wrap-anywhere">{id}</span>
            <br />
            Started <TimeAgo time={startedAt.toISOString()} now={now} />, last heartbeat{" "}
            <TimeAgo time={lastHeartbeatAt.toISOString()} now={now} />
          </CardDescription>
        </div>
        <Badge variant={isAlive ? "success" : "destructive"}>{isAlive ? "Alive" : "Dead"}</Badge>
      </CardHeader>
      <CardContent>
        <dl className="grid grid-cols-2 gap-4 text-sm sm:grid-cols-3 lg:grid-cols-4">
          {report.sandbox && (
            <Item name="Sandbox">
              <Badge variant={report.sandbox === "off" ? "warning" : "success"}>
                {report.sandbox}
              </Badge>
            </Item>
          )}
          {report.sandboxFailed && (
            <Item name="Off without a sandbox">
              Sign-up, runs without an account, and under a public URL HTML, office, SVG and email
              files
            </Item>
          )}
          {report.isRoot && (
            <Item name="User">
              <Badge variant="warning">root</Badge>
            </Item>
          )}
          {Object.entries(report.limits ?? {}).map(([name, kept]) => (
            <Item key={name} name={limitNames[name] ?? name}>
              {kept}
            </Item>
          ))}
          {kind === "media" && <Item name="Video hardware">{report.hardware ?? "None"}</Item>}
          {report.queue && (
            <Item name="Connection to Inngest">
              {report.queue.isConnected ? "Connected" : "Not connected"}
            </Item>
          )}
          {engines.map(([name, version]) => (
            <Item key={name} name={name}>
              {version ?? <Badge variant="warning">Not installed</Badge>}
            </Item>
          ))}
        </dl>
      </CardContent>
    </Card>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="mt-0.5 font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
