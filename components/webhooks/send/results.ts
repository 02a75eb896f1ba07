/** The delivery that sends a webhook, or why it is not sent. */
export type SendResult = { readonly id: string } | { readonly error: string };

/** How far a delivery is. */
export interface DeliveryProgress {
  readonly status: "pending" | "delivered" | "failed";
  /** The newest attempt; null before the first one. */
  readonly attempt: {
    /** The receiver's; null without a response. */
    readonly status: number | null;
    readonly durationMs: number;
    /** The start of the response, or why there was none. */
    readonly response: string;
  } | null;
}
