import { invalidForm } from "../base/errors.ts";
import type { Form } from "../form/form.ts";
import { type Step, step } from "./plan.ts";

/** The passwords of PDF files, and what people without them may do. */

export interface Encryption {
  readonly userPassword: string;
  readonly ownerPassword: string;
  readonly permissions: readonly string[];
  readonly isRestricted: boolean;
}

export function readEncryption(form: Form): Encryption {
  const userPassword = form.text("userPassword");
  const ownerPassword = form.text("ownerPassword");
  const allowed = permissionFields.map(([field, permission]) => ({
    permission,
    isAllowed: form.bool(field, true),
  }));
  const permissions = allowed.filter((one) => one.isAllowed).map((one) => one.permission);
  const isRestricted = allowed.some((one) => !one.isAllowed);
  return { userPassword, ownerPassword, permissions, isRestricted };
}

const permissionFields = [
  ["allowPrinting", "print"],
  ["allowCopying", "copy"],
  ["allowModifying", "modify"],
  ["allowAnnotating", "annotate"],
  ["allowFillingForms", "fill-forms"],
  ["allowAssembling", "assemble"],
] as const;

/** Throws `GotenbergError` if nothing protects the permissions. */
export function requirePassword({ isRestricted, userPassword, ownerPassword }: Encryption): void {
  if (isRestricted && userPassword === "" && ownerPassword === "") {
    throw invalidForm("permission restrictions require a 'userPassword' or 'ownerPassword'");
  }
}

export function encryptionSteps(encryption: Encryption): Step[] {
  const { userPassword, ownerPassword, permissions } = encryption;
  if (userPassword === "" && ownerPassword === "") return [];
  return [
    step(
      "document/protect-pdf",
      {
        ...(userPassword ? { password: userPassword } : {}),
        ...(ownerPassword && ownerPassword !== userPassword
          ? { owner_password: ownerPassword }
          : {}),
        permissions,
      },
      { fields: { password: "userPassword", owner_password: "ownerPassword" } },
    ),
  ];
}
