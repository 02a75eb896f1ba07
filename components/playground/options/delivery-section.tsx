"use client";

import { ChevronDownIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useLazyComponent } from "#components/ui/use-lazy-component.ts";
import { hasOptions } from "../form/job-options.ts";
import type { OptionFieldsProps } from "./option-fields.tsx";

const load = () => import("./option-fields.tsx").then((module) => module.OptionFields);

/** Where the outputs go, the webhook and the metadata of the job. Closed until they are used; its script is loaded when it opens. */
export function DeliverySection(props: OptionFieldsProps) {
  const { options, errorOf } = props;
  const { Component: Fields, show } = useLazyComponent(load);
  const [isOpened, setOpened] = useState(false);
  const isFilled = hasOptions(options);
  const mustOpen =
    isFilled || Boolean(errorOf("output") ?? errorOf("webhook_url") ?? errorOf("metadata"));
  const open = useEffectEvent(() => {
    setOpened(true);
    show();
  });
  // Opens for values that are restored, and stays open when they are removed.
  useEffect(() => {
    if (mustOpen) open();
  }, [mustOpen]);
  return (
    <details
      open={isOpened}
      onToggle={({ currentTarget }) => {
        setOpened(currentTarget.open);
        if (currentTarget.open) show();
      }}
      className="group rounded-lg border"
    >
      <summary className="flex cursor-pointer items-center gap-2 p-4 text-sm font-medium">
        Delivery
        <span className="font-normal text-muted-foreground">Outputs, webhook, metadata</span>
        <ChevronDownIcon
          aria-hidden="true"
          className="ml-auto size-4 text-muted-foreground group-open:rotate-180"
        />
      </summary>
      <div className="border-t p-4">{Fields && <Fields {...props} />}</div>
    </details>
  );
}
