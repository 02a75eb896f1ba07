import { z } from "zod";

/** The fields of the account forms. Each message is shown at its field. */

/** An email address as it is stored. Allows `admin@localhost`. */
export const emailField = z
  .string("Enter an email address.")
  .trim()
  .toLowerCase()
  .max(254, "An email address has at most 254 characters.")
  .regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u, "Enter an email address, such as name@example.com.");

/** An email address for a new account: one that can receive mail. */
export const newEmailField = emailField.pipe(
  z.email("Enter an email address, such as name@example.com."),
);

/** Limits the work of one password hash. */
const maxPasswordLength = 200;

/** An existing password: any text, because it is only compared. */
export const passwordField = z
  .string("Enter the password.")
  .min(1, "Enter the password.")
  .max(maxPasswordLength, `A password has at most ${maxPasswordLength} characters.`);

/** The most common leaked passwords of at least 8 characters (SecLists, "10k most common"). */
const commonPasswords = new Set(
  `password 12345678 123456789 1234567890 baseball football jennifer superman trustno1 michelle
  sunshine starwars computer corvette princess iloveyou maverick samantha steelers whatever hardcore
  midnight startrek qwertyuiop 1q2w3e4r 1qaz2wsx qwerty123 qwer1234 password1 password12 password123
  passw0rd p@ssw0rd letmein1 welcome1 admin123 administrator abcd1234 abc12345 11111111 00000000
  88888888 12341234 87654321 asdfghjk asdfasdf zaq12wsx changeme`.split(/\s+/),
);

/** A new password. Requires length, not character classes (NIST SP 800-63B, 5.1.1.2). */
export const newPasswordField = z
  .string("Choose a password.")
  .min(8, "A password needs at least 8 characters.")
  .max(maxPasswordLength, `A password has at most ${maxPasswordLength} characters.`)
  .refine((password) => !commonPasswords.has(password.toLowerCase()), {
    error: "That password is one of the most common ones. Choose another.",
  })
  .refine((password) => new Set(password).size > 3, {
    error: "That password is too simple. Use at least 4 different characters.",
  });

/** What a form shows after it was submitted. */
export interface FormState {
  /** Messages by field name; `form` is for the whole form. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Submitted values to show again; never a password. */
  readonly values?: Readonly<Record<string, string>>;
  /** Confirms what was done. */
  readonly notice?: string;
  /** The action was not done: the user must show first who they are. */
  readonly needsReauthentication?: true;
}

/** What an action returns that the user may do only after showing again who they are. */
export type NeedsReauthentication = Required<Pick<FormState, "needsReauthentication">>;

/** The parsed fields of a form, or the first error of each field. */
export function parseForm<Schema extends z.ZodObject>(
  schema: Schema,
  form: FormData,
): { fields: z.output<Schema> } | { state: FormState } {
  const submitted = Object.fromEntries(form);
  const parsed = schema.safeParse(submitted);
  if (parsed.success) return { fields: parsed.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= message;
  const email = typeof submitted.email === "string" ? submitted.email.slice(0, 254) : "";
  return { state: { errors, values: { email } } };
}
