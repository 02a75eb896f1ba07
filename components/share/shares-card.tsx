"use client";

import { useRouter } from "next/navigation";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { ShareEntry } from "#lib/api/endpoints/shares/share-entry.ts";
import { ShareList } from "./share-list.tsx";

interface SharesCardProps {
  readonly shares: readonly ShareEntry[];
  /** Whether the shares are those of several jobs. */
  readonly linksJobs?: boolean;
}

/** The public links of an account or of one of its jobs. */
export function SharesCard({ shares, linksJobs = false }: SharesCardProps) {
  const router = useRouter();
  return (
    <Card className="min-w-0" aria-labelledby="shares">
      <CardHeader>
        <div>
          <CardTitle id="shares">Shared links</CardTitle>
          <CardDescription>
            Anyone with a link sees the result. Revoking it takes effect at once.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        {shares.length === 0 ? (
          <p className="text-sm text-muted-foreground">
            You share no results. “Share” on the page of a completed job creates a link.
          </p>
        ) : (
          <ShareList shares={shares} linksJobs={linksJobs} onRevoked={() => router.refresh()} />
        )}
      </CardContent>
    </Card>
  );
}
