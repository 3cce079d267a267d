import type * as z from "zod";
import type { Access } from "../engine/access.ts";
import type { Deployment } from "../engine/ports/ports.ts";
import type { AuthEvent } from "../protocol/auth.ts";
import type { SearchPage } from "../rules/search-page.ts";
import type { Visibility } from "../rules/visibility.ts";

interface SearchCall {
  access: Access;
  deployment: Deployment;
  body: object;
}

/**
 * Answers with a page; headers hold the total and the offset of the next page, or its cursor. `search` gets the body as the application
 * has changed it.
 */
export async function answerSearch<S extends z.ZodType>(
  { access, deployment, body }: SearchCall,
  event: AuthEvent,
  schema: S,
  search: (deployment: Deployment, left: z.infer<S>, visible: Visibility | undefined) => Promise<SearchPage<unknown>>,
): Promise<Response> {
  const { value, visible } = await access.permit(event, { ...body });
  const { items, total, next, cursor } = await search(deployment, schema.parse(value), visible);
  const headers = new Headers();
  if (total !== undefined) headers.set("x-pagination-total", String(total));
  if (cursor !== undefined) headers.set("x-pagination-cursor", cursor);
  if (next !== undefined) headers.set("x-pagination-next", String(next));
  return Response.json(items, { headers });
}

/** Answers with the number of matches. The application's authorization sees a search with limit 0. */
export async function answerCount<S extends z.ZodType>(
  { access, deployment, body }: SearchCall,
  event: AuthEvent,
  schema: S,
  count: (deployment: Deployment, left: z.infer<S>, visible: Visibility | undefined) => Promise<number>,
): Promise<Response> {
  const { value, visible } = await access.permit(event, { ...body, limit: 0, offset: 0 });
  return Response.json(await count(deployment, schema.parse(value), visible));
}
