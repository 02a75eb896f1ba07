import { endSoak, soakCases } from "#tests/hostile/soak-cases.ts";

/**
 * The rows of the catalogue of bad inputs that take long however fast the machine is, to every
 * operation that takes them. Words in `ROWS` choose some by their name.
 */

// Only once there is a folder for the engines.
const { operations } = await import("#lib/operations/catalogue/index.ts");
const { badInputs } = await import("#tests/hostile/catalogue.ts");
const { casesOf } = await import("#tests/hostile/check-bad-input.ts");

const words = (process.env.ROWS ?? "").split(",").filter(Boolean);
const rows = badInputs.filter(
  ({ id, isSlow }) => isSlow && (words.length === 0 || words.some((word) => id.includes(word))),
);
for (const row of rows) {
  await soakCases(
    operations.flatMap((operation) => casesOf([row], operation)),
    true,
  );
}
await endSoak();
