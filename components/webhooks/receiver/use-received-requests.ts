"use client";

import { useEffect, useState } from "react";
import type { ReceivedView } from "./received-view.ts";

/** See `lib/api/endpoints/dashboard/receiver-events.ts`. */
const eventsUrl = "/dashboard/api/webhooks/receiver/events";
const retryMs = 5000;

/** The receiver's requests, newest first, as they change. A hidden page has no connection. */
export function useReceivedRequests(initial: readonly ReceivedView[]): readonly ReceivedView[] {
  const [received, setReceived] = useState<readonly ReceivedView[]>();
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      clearTimeout(timer);
      source?.close();
    };
    const open = () => {
      close();
      if (document.visibilityState !== "visible") return;
      const opened = new EventSource(eventsUrl);
      source = opened;
      opened.addEventListener("requests", ({ data }: MessageEvent<string>) => {
        // Sent by our own route, whose data is a list of summaries.
        setReceived(JSON.parse(data) as ReceivedView[]);
      });
      opened.addEventListener("error", () => {
        // The browser reconnects by itself, except after an error response.
        if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, retryMs);
      });
    };
    document.addEventListener("visibilitychange", open);
    open();
    return () => {
      document.removeEventListener("visibilitychange", open);
      close();
    };
  }, []);
  return received ?? initial;
}
