"use client";

import type { ComponentProps } from "react";
import { type Components, type ExtraProps, Streamdown } from "streamdown";
import { safeUrl } from "#lib/client/safe-url.ts";
import { Code } from "../_ui/code.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Scroller } from "../_ui/scroller.tsx";
import "./markdown.css";

/**
 * Renders an agent's text, which is untrusted. HTML is shown as text. An image is shown as its description, because
 * loading it could send data of the conversation to its host. Only links to web pages and mail addresses are kept.
 */
export default function Markdown({ text, live }: { text: string; live: boolean }) {
  return (
    <Streamdown
      className="markdown"
      components={COMPONENTS}
      rehypePlugins={NO_HTML}
      urlTransform={(url) => safeUrl(url)}
      linkSafety={PLAIN_LINKS}
      controls={false}
      isAnimating={live}
      caret={live ? "block" : undefined}
    >
      {text}
    </Streamdown>
  );
}

// The default list has a plugin that turns HTML in the text into elements.
const NO_HTML: never[] = [];
const PLAIN_LINKS = { enabled: false };

const COMPONENTS: Components = {
  a: Anchor,
  img: Picture,
  pre: Fence,
  table: Table,
  inlineCode: ({ children }) => <code>{children}</code>,
  // Headings start at level 3, because the speaker's name has level 2.
  h1: "h3",
  h2: "h4",
  h3: "h5",
  h4: "h6",
  h5: "h6",
  h6: "h6",
  // These are plain elements, without the classes of the library.
  p: "p",
  ul: "ul",
  ol: "ol",
  li: "li",
  strong: "strong",
  blockquote: "blockquote",
  hr: "hr",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  sup: "sup",
  sub: "sub",
  section: "section",
};

type Element<T extends keyof React.JSX.IntrinsicElements> = ComponentProps<T> & ExtraProps;

function Anchor({ href, children }: Element<"a">) {
  if (!href) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

function Picture({ alt }: Element<"img">) {
  return <span className="text-ink-3">[image{alt ? `: ${alt}` : ""}]</span>;
}

function Table({ children }: Element<"table">) {
  return (
    <Scroller label="Table" className="my-3 rounded-control border border-line">
      <table>{children}</table>
    </Scroller>
  );
}

function Fence({ node }: Element<"pre">) {
  const code = textIn(node).replace(/\n$/, "");
  return (
    <div className="relative my-3">
      <Scroller label="Code" className="max-h-120 rounded-control bg-well p-3.5 pr-12">
        <Code code={code} />
      </Scroller>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={code} label="Copy code" variant="icon" />
      </div>
    </div>
  );
}

type HastNode = NonNullable<ExtraProps["node"]>["children"][number] | NonNullable<ExtraProps["node"]>;

function textIn(node: HastNode | undefined): string {
  if (!node) return "";
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textIn).join("") : "";
}
