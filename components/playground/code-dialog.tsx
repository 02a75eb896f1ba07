"use client";

import { CodeIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { usePanel } from "#components/ui/use-panel.ts";
import type { FilledForm } from "./code-panel.tsx";

const load = () => import("./code-panel.tsx").then((module) => module.CodePanel);

/** What is filled in can be taken along as code, which is written when it is asked for. */
export function CodeDialog(form: FilledForm) {
  const panel = usePanel(load);
  return (
    <>
      <Button variant="outline" {...panel.trigger}>
        <CodeIcon aria-hidden="true" />
        Copy as code
      </Button>
      {panel.Panel && <panel.Panel {...form} {...panel.panel} />}
    </>
  );
}
