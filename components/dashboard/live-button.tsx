"use client";

import { PauseIcon, PlayIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { RefreshWhile } from "./refresh-while.tsx";

/** Keeps the page up to date, until it is paused. */
export function LiveButton() {
  const [live, setLive] = useState(true);
  return (
    <>
      <RefreshWhile active={live} />
      <Button
        variant="outline"
        data-verb={live ? "Pause live updates" : "Resume live updates"}
        onClick={() => setLive(!live)}
      >
        {live ? <PauseIcon aria-hidden="true" /> : <PlayIcon aria-hidden="true" />}
        {live ? "Pause" : "Resume"}
        <span className="sr-only">live updates</span>
      </Button>
    </>
  );
}
