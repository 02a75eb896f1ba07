"use client";

import { useEffect, useState } from "react";

/** The current time in milliseconds since 1970, updated every `everyMs` while `running`. */
export function useNow(initial: number, running: boolean, everyMs = 250): number {
  const [now, setNow] = useState(initial);
  useEffect(() => {
    if (!running) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, everyMs);
    return () => clearInterval(timer);
  }, [running, everyMs]);
  return now;
}
