/** What the sign-in page says, by the code that NextAuth or we put into its address. */
const sentences: Readonly<Record<string, string>> = {
  CredentialsSignin: "The e-mail address or the password is not right.",
  TooManyAttempts: "Too many attempts. Wait a minute, then try again.",
  Unavailable: "The service is briefly unavailable. Try again in a moment.",
  SignUpClosed:
    "New accounts are created by the operator of this service; there is none for you yet.",
  NoVerifiedEmail:
    "The provider knows no verified e-mail address of yours. Verify one there first.",
  AccountExists:
    "There is an account with that e-mail address, with another way to sign in. Use that one.",
};

/** The sentence for a code from outside, which may be anything. */
export function describeSignInError(code: unknown): string | undefined {
  if (typeof code !== "string" || code === "") return undefined;
  return Object.hasOwn(sentences, code)
    ? sentences[code]
    : "Signing in did not work. Try again, or use another way.";
}
