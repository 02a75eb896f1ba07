"use client";

import { KeyboardIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import { isShown } from "./is-shown.ts";
import { isPageKey, pageKeys } from "./keys.ts";

const load = () => import("./help-dialog.tsx").then((module) => module.HelpDialog);

/** The longest time between `g` and the letter of a page. */
const pageKeyMs = 1500;

/** Handles the keyboard shortcuts of all dashboard pages. Renders the button that lists them. */
export function Shortcuts() {
  const router = useRouter();
  const help = useLazyDialog(load);
  const goUntil = useRef(0);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector("[role=dialog],[role=alertdialog]"))
      return;
    const { key } = event;
    if (goUntil.current > event.timeStamp && isPageKey(key)) {
      goUntil.current = 0;
      event.preventDefault();
      router.push(pageKeys[key].href);
      return;
    }
    goUntil.current = key === "g" ? event.timeStamp + pageKeyMs : 0;
    const actions: Readonly<Record<string, () => unknown>> = {
      "/": focusSearch,
      j: () => focusRow(1),
      k: () => focusRow(-1),
      x: toggleRow,
      r: () => clickShown("[data-shortcut=r]"),
      "?": help.triggerProps.onClick,
    };
    if (!Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key]?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Button
        {...help.triggerProps}
        variant="ghost"
        size="icon"
        title="Keyboard shortcuts"
        data-verb="Show keyboard shortcuts"
      >
        <KeyboardIcon />
        <span className="sr-only">Keyboard shortcuts</span>
      </Button>
      {help.Dialog && <help.Dialog {...help.dialogProps} />}
    </>
  );
}

/** Whether keys enter text or move within a control. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isCheckbox = target instanceof HTMLInputElement && target.type === "checkbox";
  return (
    !isCheckbox &&
    (target.isContentEditable ||
      target.matches("input, textarea, select, [role=slider], [role=radio], [role=option]"))
  );
}

function findShown(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter(isShown);
}

function clickShown(selector: string): void {
  findShown(selector)[0]?.click();
}

/** The search field of the page's list, or the search of the dashboard. */
function focusSearch(): void {
  const [field] = findShown("main input[type=search]");
  if (field) field.focus();
  else clickShown("[data-shortcut='/']");
}

const rowsOfLists = "[data-row]:has([data-row-link])";

/** Focuses the link of the row after or before the one that has the focus, or of the first row. */
function focusRow(step: 1 | -1): void {
  const rows = findShown(rowsOfLists);
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, current + step));
  const link = rows[next]?.querySelector<HTMLElement>("[data-row-link]");
  link?.focus();
  link?.scrollIntoView({ block: "nearest" });
}

/** Selects the row that has the focus, or removes it from the selection. */
function toggleRow(): void {
  const row = findShown(rowsOfLists).find((one) => one.contains(document.activeElement));
  row?.querySelector<HTMLElement>("input[type=checkbox]")?.click();
}
