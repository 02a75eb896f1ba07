import { z } from "zod";

/** The fields of the forms about accounts; each message stands beside its field. */

/** An e-mail address as it is kept. `admin@localhost` is one too. */
export const emailField = z
  .string("Enter an e-mail address.")
  .trim()
  .toLowerCase()
  .max(254, "An e-mail address has at most 254 characters.")
  .regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u, "Enter an e-mail address, such as name@example.com.");

/** An address for a new account, to which e-mail could be sent. */
export const newEmailField = emailField.pipe(
  z.email("Enter an e-mail address, such as name@example.com."),
);

/** Longer ones would only make our work longer. */
const maxPasswordLength = 200;

/** A password that somebody has: whatever it is, it is compared. */
export const passwordField = z
  .string("Enter the password.")
  .min(1, "Enter the password.")
  .max(maxPasswordLength, "That password is too long to be right.");

/** The most used passwords of at least 8 characters, as found in leaks (SecLists, "10k most common"). */
const worstPasswords = new Set(
  `password 12345678 123456789 1234567890 baseball football jennifer superman trustno1 michelle
  sunshine starwars computer corvette princess iloveyou maverick samantha steelers whatever hardcore
  midnight startrek qwertyuiop 1q2w3e4r 1qaz2wsx qwerty123 qwer1234 password1 password12 password123
  passw0rd p@ssw0rd letmein1 welcome1 admin123 administrator abcd1234 abc12345 11111111 00000000
  88888888 12341234 87654321 asdfghjk asdfasdf zaq12wsx changeme`.split(/\s+/),
);

/** A password that somebody chooses. Length is what counts (NIST SP 800-63B, 5.1.1.2): no rules about characters. */
export const choicePasswordField = z
  .string("Choose a password.")
  .min(8, "A password needs at least 8 characters.")
  .max(maxPasswordLength, `A password has at most ${maxPasswordLength} characters.`)
  .refine((password) => !worstPasswords.has(password.toLowerCase()), {
    error: "That password is one of the most used ones; choose another.",
  })
  .refine((password) => new Set(password).size > 3, {
    error: "That password is too simple; choose another.",
  });

/** What a form shows after it was sent: what was wrong, beside the field or for all of it. */
export interface FormState {
  readonly errors?: Readonly<Record<string, string>>;
  /** What was entered and need not be entered again; never a password. */
  readonly values?: Readonly<Record<string, string>>;
  /** What was done. */
  readonly notice?: string;
}

/** The fields of a form, or what is wrong with the first of each. */
export function parseForm<Schema extends z.ZodObject>(
  schema: Schema,
  form: FormData,
): { fields: z.output<Schema> } | { state: FormState } {
  const given = Object.fromEntries(form);
  const parsed = schema.safeParse(given);
  if (parsed.success) return { fields: parsed.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= message;
  const email = typeof given.email === "string" ? given.email.slice(0, 254) : "";
  return { state: { errors, values: { email } } };
}
