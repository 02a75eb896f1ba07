import Link from "next/link";
import type { ComponentProps } from "react";

/** A link within text. */
export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link className="text-brand underline underline-offset-4" {...props} />;
}
