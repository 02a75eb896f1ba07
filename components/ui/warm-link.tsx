"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

type WarmLinkProps = Omit<ComponentProps<typeof Link>, "onPointerEnter" | "onFocus">;

/**
 * A link whose page is loaded whole as soon as it is pointed at, so that a click shows it at once: a
 * skeleton that was drawn first would stay for 300 ms, however fast the page is.
 */
export function WarmLink({ prefetch = null, ...props }: WarmLinkProps) {
  const [warm, setWarm] = useState(false);
  return (
    <Link
      {...props}
      prefetch={warm ? true : prefetch}
      onPointerEnter={() => setWarm(true)}
      onFocus={() => setWarm(true)}
    />
  );
}
