import { CodeFrame } from "./code-frame.tsx";
import { type CodeLanguage, highlight, highlightPublic } from "./highlight.ts";

interface CodeBlockProps {
  readonly code: string;
  readonly language: CodeLanguage;
  /** The title above the code, such as a file name. */
  readonly title?: string;
  /** Wraps long lines, such as commands, instead of scrolling. */
  readonly wrap?: boolean;
  readonly className?: string;
  /** Whether all visitors see the same code: it is highlighted once. */
  readonly isPublic?: boolean;
}

/** Code that is highlighted on the server, with a copy button. */
export async function CodeBlock({
  code,
  language,
  title,
  wrap = false,
  className,
  isPublic = false,
}: CodeBlockProps) {
  const html = await (isPublic ? highlightPublic : highlight)(code, language);
  return (
    <CodeFrame
      code={code}
      wrap={wrap}
      className={className}
      {...(title === undefined ? {} : { title })}
    >
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the code. */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </CodeFrame>
  );
}
