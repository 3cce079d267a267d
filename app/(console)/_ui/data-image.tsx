import type { ComponentProps } from "react";

/** An image whose data is in its URL. Next's component would send it through the server. */
export function DataImage({ alt, ...props }: ComponentProps<"img"> & { alt: string; src: string }) {
  // oxlint-disable-next-line next/no-img-element
  return <img alt={alt} {...props} />;
}
