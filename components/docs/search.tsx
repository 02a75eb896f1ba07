"use client";

import { SearchIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { cn } from "#components/class-names.ts";
import { Button } from "#components/ui/button.tsx";
import { useLate } from "#components/ui/use-late.ts";
import type { SearchPage } from "./search-dialog.tsx";

const load = () => import("./search-dialog.tsx").then((module) => module.SearchDialog);

interface DocsSearchProps {
  /** What is found beside the docs; without it, the docs alone. */
  readonly pages?: readonly SearchPage[];
  /** Whether Ctrl or ⌘ and K open it, too; of several on a page one may. */
  readonly shortcut?: boolean;
  /** How the button looks: a field, or a sign alone. */
  readonly look?: "auto" | "field" | "icon";
}

/** Opens the search. */
export function DocsSearch({ pages, shortcut = true, look = "auto" }: DocsSearchProps) {
  const [open, setOpen] = useState(false);
  const { Component: SearchDialog, loadAhead, want } = useLate(load);
  const wantOnKey = useEffectEvent(want);
  useEffect(() => {
    if (!shortcut) return;
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      wantOnKey();
      setOpen((before) => !before);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [shortcut]);
  return (
    <>
      <Button
        variant={look === "icon" ? "ghost" : "outline"}
        size={look === "icon" ? "icon" : "sm"}
        className={cn(
          look !== "icon" && "text-muted-foreground",
          look === "field" && "w-full px-3",
        )}
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
        onClick={() => {
          want();
          setOpen(true);
        }}
      >
        <SearchIcon />
        <span
          className={cn(
            "sr-only",
            look === "auto" && "sm:not-sr-only",
            look === "field" && "not-sr-only",
          )}
        >
          Search
        </span>
        {look !== "icon" && (
          <kbd className={cn("ml-auto font-mono text-xs", look === "auto" && "hidden md:inline")}>
            Ctrl K
          </kbd>
        )}
      </Button>
      {SearchDialog && (
        <SearchDialog open={open} onOpenChange={setOpen} {...(pages && { pages })} />
      )}
    </>
  );
}
