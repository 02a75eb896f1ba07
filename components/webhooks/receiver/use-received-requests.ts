"use client";

import { useEffect, useState } from "react";
import { openEvents } from "#components/jobs/follow/open-events.ts";
import type { ReceivedView } from "./received-view.ts";

/** See `lib/api/endpoints/dashboard/receiver-events.ts`. */
const eventsUrl = "/dashboard/api/webhooks/receiver/events";

/** The receiver's requests, newest first, as they change. A hidden page has no connection. */
export function useReceivedRequests(initial: readonly ReceivedView[]): readonly ReceivedView[] {
  const [received, setReceived] = useState<readonly ReceivedView[]>();
  useEffect(() => {
    let close = () => {};
    const onData = (data: string) => {
      // Sent by our own route, whose data is a list of summaries.
      setReceived(JSON.parse(data) as ReceivedView[]);
    };
    const open = () => {
      close();
      close = () => {};
      if (document.visibilityState === "visible") close = openEvents(eventsUrl, "requests", onData);
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
