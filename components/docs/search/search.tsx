"use client";

import { SearchIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { cn } from "#components/class-names.ts";
import { Button } from "#components/ui/button.tsx";
import { useLazyComponent } from "#components/ui/use-lazy-component.ts";
import type { SearchTarget } from "./search-target.ts";
import type { FindLate } from "./use-late-rows.ts";

const load = () => import("./search-dialog.tsx").then((module) => module.SearchDialog);

interface DocsSearchProps {
  /** What to find in addition to the docs. */
  readonly readTargets?: () => readonly SearchTarget[];
  /** Finds results on the service. */
  readonly findLate?: FindLate;
  /** Whether Ctrl+K or ⌘K opens this search. Only one search on a page may set it. */
  readonly shortcut?: boolean;
  /** The button's style: like a field, an icon only, or by page width. */
  readonly variant?: "auto" | "field" | "icon";
}

/** The button that opens the search. */
export function DocsSearch({
  readTargets,
  findLate,
  shortcut = true,
  variant = "auto",
}: DocsSearchProps) {
  const [open, setOpen] = useState(false);
  const { Component: SearchDialog, preload, show } = useLazyComponent(load);
  const showOnShortcut = useEffectEvent(show);
  useEffect(() => {
    if (!shortcut) return;
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      showOnShortcut();
      setOpen((before) => !before);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [shortcut]);
  return (
    <>
      <Button
        data-shortcut="/"
        variant={variant === "icon" ? "ghost" : "outline"}
        size={variant === "icon" ? "icon" : "sm"}
        className={cn(
          variant !== "icon" && "text-muted-foreground",
          variant === "field" && "w-full px-3",
        )}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => {
          show();
          setOpen(true);
        }}
      >
        <SearchIcon />
        <span
          className={cn(
            "sr-only",
            variant === "auto" && "sm:not-sr-only",
            variant === "field" && "not-sr-only",
          )}
        >
          Search
        </span>
        {variant !== "icon" && (
          <kbd
            className={cn("ml-auto font-mono text-xs", variant === "auto" && "hidden md:inline")}
          >
            Ctrl K
          </kbd>
        )}
      </Button>
      {SearchDialog && (
        <SearchDialog
          open={open}
          onOpenChange={setOpen}
          {...(readTargets && { readTargets })}
          {...(findLate && { findLate })}
        />
      )}
    </>
  );
}
