/** The messages of the sign-in page, by the code in its `error` query parameter. */
const messages: Readonly<Record<string, string>> = {
  CredentialsSignin: "The email address or password is incorrect.",
  TooManyAttempts: "Too many attempts. Wait a minute, then try again.",
  TooManyPasswords:
    "Too many attempts for this account, from many networks. Use a browser in which you have signed in before, or set a new password.",
  Unavailable: "The service is temporarily unavailable. Try again in a minute.",
  AccountSuspended: "This account is suspended. Ask the operator of this service.",
  SignUpClosed: "Sign-up is closed. Ask the operator of this service for an account.",
  NoVerifiedEmail:
    "Your account at the provider has no verified email address. Verify it there first.",
  AccountExists:
    "There is an account with that email address that uses another sign-in method. Use that method.",
};

/** The message for a code from a URL, which can be any text. Undefined without a code. */
export function signInErrorMessage(code: unknown): string | undefined {
  if (typeof code !== "string" || code === "") return undefined;
  return Object.hasOwn(messages, code)
    ? messages[code]
    : "Sign-in failed. Try again, or use another sign-in method.";
}
