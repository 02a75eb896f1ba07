"use client";

import type { ReactNode } from "react";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";

interface CodeTabsProps {
  readonly blocks: readonly { readonly label: string; readonly code: ReactNode }[];
}

/** The same thing in several languages. */
export function CodeTabs({ blocks }: CodeTabsProps) {
  return (
    <Tabs defaultValue={blocks[0]?.label ?? ""}>
      <TabsList aria-label="Language">
        {blocks.map(({ label }) => (
          <TabsTrigger key={label} value={label}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {blocks.map(({ label, code }) => (
        <TabsContent key={label} value={label}>
          {code}
        </TabsContent>
      ))}
    </Tabs>
  );
}
