import Link from "next/link";

export default function NotFoundPage() {
  return (
    <main className="mx-auto max-w-4xl px-5 py-24">
      <h1 className="text-3xl font-semibold tracking-tight">There is nothing here.</h1>
      <p className="mt-4 text-quiet">
        The address may be mistyped, or the page has moved.{" "}
        <Link className="text-accent underline underline-offset-4" href="/">
          Back to the start
        </Link>
      </p>
    </main>
  );
}
