"use client";

import { useEffect, useState } from "react";
import { type Message, setToastRenderer } from "./toast.ts";

/** How long a message is shown, in milliseconds. */
const shownMs = 8000;

/** The newest message, for a page that could not load the script of `ToastList`: a lost connection is why most fail. */
export function PlainToast() {
  const [message, setMessage] = useState<Message>();
  useEffect(() => setToastRenderer(setMessage), []);
  useEffect(() => {
    if (!message) return undefined;
    const timer = setTimeout(() => setMessage(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div role="status" className="fixed right-6 bottom-6 left-6 z-60 sm:left-auto sm:max-w-sm">
      {message && (
        <p className="rounded-lg border bg-popover p-4 text-sm font-medium shadow-lg">
          {message.text}
        </p>
      )}
    </div>
  );
}
