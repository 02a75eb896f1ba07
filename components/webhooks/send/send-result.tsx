"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { formatDuration } from "#components/format.ts";
import { Badge } from "#components/ui/badge.tsx";
import type { DeliveryProgress } from "./results.ts";

interface SendResultProps {
  /** The id of the delivery. */
  readonly id: string;
  /** Reads the progress of the delivery; undefined if the delivery does not exist. */
  readonly read: (id: string) => Promise<DeliveryProgress | undefined>;
}

const pollMs = 600;
/** A number of polls that takes longer than an attempt may. */
const maxPolls = 40;

/** The result of a delivery's first attempt, as soon as it is known. */
export function SendResult({ id, read }: SendResultProps) {
  const [progress, setProgress] = useState<DeliveryProgress>();
  const attempt = progress?.attempt;
  useEffect(() => {
    let polls = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const poll = async () => {
      const found = await read(id).catch(() => undefined);
      if (isStopped) return;
      setProgress(found);
      if (!found?.attempt && ++polls < maxPolls) timer = setTimeout(poll, pollMs);
    };
    timer = setTimeout(poll, pollMs / 3);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [id, read]);
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {attempt ? (
        <>
          <Badge variant={progress.status === "delivered" ? "success" : "destructive"}>
            {attempt.status ?? "No response"}
          </Badge>
          <span className="tabular-nums text-muted-foreground">
            {formatDuration(attempt.durationMs)}
          </span>
          {progress.status === "pending" && <span>It is retried.</span>}
          <span className="line-clamp-2 min-w-0 text-muted-foreground wrap-anywhere">
            {attempt.response.slice(0, 200)}
          </span>
        </>
      ) : (
        <span className="text-muted-foreground">Sending…</span>
      )}
      <Link
        href={`/dashboard/webhooks/${id}`}
        prefetch={false}
        className="text-brand underline underline-offset-4"
      >
        View delivery
      </Link>
    </div>
  );
}
