"use client";

import { MenuIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { usePanel } from "#components/ui/use-panel.ts";

const load = () => import("./mobile-sheet.tsx").then((module) => module.MobileSheet);

/** The navigation of narrow pages, behind a button. */
export function MobileNavigation() {
  const sheet = usePanel(load);
  return (
    <>
      <Button {...sheet.trigger} variant="ghost" size="icon" className="lg:hidden">
        <MenuIcon />
        <span className="sr-only">Open the navigation</span>
      </Button>
      {sheet.Panel && <sheet.Panel {...sheet.panel} />}
    </>
  );
}
