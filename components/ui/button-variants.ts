import { cva } from "class-variance-authority";

/** The colors of text and background, exchanged: browsers would replace only one of the two. */
const inForcedColors =
  "forced-colors:bg-[ButtonText] forced-colors:text-[ButtonFace] forced-colors:forced-color-adjust-none";

/** The classes of a button, also for elements that only look like one. */
export const buttonVariants = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-md text-sm font-medium whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  {
    variants: {
      variant: {
        default: "bg-primary text-primary-foreground hover:bg-primary/85",
        brand: `bg-brand text-background hover:bg-brand/85 ${inForcedColors}`,
        destructive: `bg-destructive text-background hover:bg-destructive/85 ${inForcedColors}`,
        outline: "border border-input/60 bg-card hover:bg-accent",
        secondary: "bg-secondary hover:bg-accent",
        ghost: "hover:bg-accent",
        link: "text-brand underline underline-offset-4",
      },
      size: {
        default: "h-9 px-4 py-2",
        sm: "h-8 gap-1.5 px-3",
        lg: "h-11 px-6 text-base",
        icon: "size-9",
        "icon-sm": "size-8",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);
