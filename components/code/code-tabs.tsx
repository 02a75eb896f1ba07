"use client";

import type { ReactNode } from "react";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";

interface CodeTabsProps {
  /** The accessible name of the tab list. */
  readonly label?: string;
  readonly blocks: readonly { readonly label: string; readonly code: ReactNode }[];
}

/** Blocks of code as tabs. */
export function CodeTabs({ label = "Language", blocks }: CodeTabsProps) {
  return (
    <Tabs className="min-w-0" defaultValue={tabValue(blocks[0]?.label ?? "")}>
      <TabsList aria-label={label}>
        {blocks.map(({ label }) => (
          <TabsTrigger key={label} value={tabValue(label)}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {blocks.map(({ label, code }) => (
        <TabsContent key={label} value={tabValue(label)}>
          {code}
        </TabsContent>
      ))}
    </Tabs>
  );
}

/** The tab's value is part of an element ID, which must not contain spaces. */
function tabValue(label: string): string {
  return label.toLowerCase().replaceAll(" ", "-");
}
