/** Which files are secret, and what is shown of secrets. Without the catalogue, because webhook runners load no operation. */

/** What is stored and shown in place of a secret value. */
export const hiddenValue = "***";

/** The names of the file parts that are secret. `check-definition.ts` compares them with the definitions. */
export const secretParts: ReadonlySet<string> = new Set(["certificate"]);

/** Whether the file of this part is deleted when its job ends. `part` may have the prefix of a chain. */
export function isSecretPart(part: string): boolean {
  return secretParts.has(part.replace(/^operations-\d+-/, ""));
}
