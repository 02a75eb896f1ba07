"use client";

import { SearchIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";

/** Loaded when the search is opened for the first time. */
const SearchDialog = dynamic(() => import("./search-dialog.tsx"), { ssr: false });

/** Opens the search of the docs; Ctrl or ⌘ and K do, too. */
export function DocsSearch() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setWanted(true);
      setOpen((before) => !before);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        className="text-muted-foreground"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <SearchIcon />
        <span className="sr-only sm:not-sr-only">Search</span>
        <kbd className="hidden font-mono text-xs md:inline">Ctrl K</kbd>
      </Button>
      {wanted && <SearchDialog open={open} onOpenChange={setOpen} />}
    </>
  );
}
