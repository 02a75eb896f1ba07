import { z } from "zod";

/** The upload of a path. */
export const uploadParams = z.strictObject({
  id: z
    .string()
    .regex(/^upload_[0-9A-Za-z]{24}$/, "There is no such upload.")
    .describe("The upload's id."),
});
