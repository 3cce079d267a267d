import { MissingPage } from "./missing-page.tsx";

/** Replaces a page of an assistant whose address names one that is not there. */
export function MissingAssistant({
  deployment,
  id,
  page,
}: {
  deployment: string;
  /** The id that was asked for. */
  id: string;
  /** The page, which leads on with another assistant; `path` is below that of the deployment. */
  page: { label: string; path: string };
}) {
  return (
    <MissingPage
      deployment={deployment}
      what="assistant"
      id={id}
      list={page}
      lead={`${page.label} with another assistant`}
    >
      It may have been deleted, or its graph renamed or removed. You may also not be allowed to see it.
    </MissingPage>
  );
}
