"use client";

import type { ReactNode } from "react";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";

interface CodeTabsProps {
  /** What the tabs choose between, for screen readers. */
  readonly label?: string;
  readonly blocks: readonly { readonly label: string; readonly code: ReactNode }[];
}

/** The same thing in several languages. */
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

/** Part of an element's id, in which no space may be. */
function tabValue(label: string): string {
  return label.replaceAll(" ", "-");
}
