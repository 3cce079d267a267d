"use client";

import { ArrowLeft, Bot, Plus } from "lucide-react";
import { type ReactNode, Suspense, useCallback, useEffect, useMemo } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { type AssistantApi, assistantApi } from "#lib/client/assistants.ts";
import { RequestFailure } from "#lib/client/refusal.ts";
import { type AssistantDraft, draftOf } from "#lib/rules/assistants/draft.ts";
import { type AssistantEdit, isEdited } from "#lib/rules/assistants/merge.ts";
import type { Assistant } from "#lib/protocol/assistants.ts";
import { Authenticated, type CallerProps } from "../_auth/authenticated.tsx";
import type { Caller } from "../_auth/caller.ts";
import { Empty } from "../_rooms/empty.tsx";
import { MissingNotice } from "../_rooms/missing-page.tsx";
import { PanePage } from "../_rooms/pane-page.tsx";
import { useReconnected } from "../_shell/use-reconnected.ts";
import { useKeptState } from "../_rooms/use-kept-state.ts";
import { useSettled } from "../_rooms/use-settled.ts";
import { Button } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { useRead } from "../_ui/use-read.ts";
import { NEW, useAssistantsQuery } from "./assistants-query.ts";
import { useAssistants } from "./use-assistants.ts";

interface AssistantsViewProps extends CallerProps {
  /** The names of the application's graphs. */
  graphs: readonly string[];
}

const AssistantList = lazyPart(() => import("./assistant-list.tsx"));
const AssistantDetail = lazyPart(() => import("./assistant-detail.tsx"));
const NewAssistant = lazyPart(() => import("./new-assistant.tsx"));

const PAGE = { label: "Assistants", path: "assistants" };

/** The assistants of a deployment. */
export function AssistantsView(props: AssistantsViewProps) {
  return (
    <Authenticated {...props} page={PAGE}>
      {(caller) => <Assistants key={caller} {...props} activeCaller={caller} />}
    </Authenticated>
  );
}

function Assistants({ deployment, graphs, activeCaller }: AssistantsViewProps & { activeCaller: Caller }) {
  const api = useMemo(() => assistantApi(apiBase(deployment)), [deployment]);
  const query = useAssistantsQuery();
  const list = useAssistants(api, useSettled(query.q));
  const { assistant: id, open } = query;
  const room = JSON.stringify([deployment, activeCaller]);
  const [made, setMade] = useKeptState<AssistantDraft | undefined>(`new assistant ${room}`, undefined);
  const [edits, setEdits] = useKeptState(`assistants ${room}`, NO_EDITS);
  const setEdit = (of: string, change: (before: AssistantEdit | undefined) => AssistantEdit | undefined): void =>
    setEdits((before) => ({ ...before, [of]: change(before[of]) }));

  const listed = list.page?.assistants.find((one) => one.assistant_id === id);
  const read = useCallback(() => readAssistant(api, id), [api, id]);
  const one = useRead<ReadAssistant | undefined>(read, undefined);
  const { refresh: refreshOne } = one;
  useEffect(() => void refreshOne(), [refreshOne]);
  const own = one.value?.id === id ? one.value : undefined;
  const found = own?.assistant ?? listed;
  const onChange = async (): Promise<void> => void (await Promise.all([list.refresh(), refreshOne()]));
  useReconnected(() => void onChange());
  const begin = (draft: AssistantDraft): void => {
    setMade(() => draft);
    open(NEW);
  };
  const [firstGraph = ""] = graphs;
  const empty: AssistantDraft = {
    name: "",
    description: "",
    graph_id: firstGraph,
    context: {},
    config: {},
    metadata: {},
  };

  let detail: ReactNode = <NoneChosen />;
  if (id === NEW) {
    detail = (
      <Suspense fallback={<Loading what="the form" className="m-6 h-80" />}>
        <NewAssistant
          api={api}
          graphs={graphs}
          draft={made ?? empty}
          onDraft={(draft) => setMade(() => draft)}
          onCancel={() => {
            setMade(() => undefined);
            open(null);
          }}
          onMade={async (newId) => {
            setMade(() => undefined);
            await list.refresh();
            open(newId);
          }}
        />
      </Suspense>
    );
  } else if (id !== null && found) {
    detail = (
      <Suspense fallback={<Loading what="the assistant" className="m-4 h-32" />}>
        <AssistantDetail
          key={id}
          deployment={deployment}
          api={api}
          query={query}
          assistant={found}
          assistants={list.page?.assistants ?? []}
          graphs={graphs}
          edit={edits[id]}
          onEdit={(change) => setEdit(id, change)}
          onDuplicate={() => begin({ ...draftOf(found), name: `${found.name} copy`, metadata: copied(found) })}
          onChange={onChange}
          onDeleted={async () => {
            setEdit(id, () => undefined);
            open(null);
            await list.refresh();
          }}
        />
      </Suspense>
    );
  } else if (id !== null) {
    detail = (
      <UnreadAssistant
        id={id}
        isMissing={own?.assistant === null}
        failure={one.failure}
        onRetry={() => void refreshOne()}
        onClose={() => open(null)}
      />
    );
  }
  return (
    <PanePage
      deployment={deployment}
      caller={activeCaller}
      title="Assistants"
      path="assistants"
      actions={
        <Button variant="primary" onClick={() => begin({ ...empty, graph_id: found?.graph_id ?? firstGraph })}>
          <Plus /> New assistant
        </Button>
      }
    >
      <section
        aria-label="Assistant list"
        className={`min-h-0 flex-col border-r border-line max-lg:w-full lg:flex lg:w-72 lg:shrink-0 ${id === null ? "flex" : "hidden"}`}
      >
        <Suspense fallback={<Loading what="the assistants" className="m-3 h-40" />}>
          <AssistantList query={query} list={list} graphs={graphs} edited={editedIds(edits)} />
        </Suspense>
      </section>
      <div className={`min-h-0 min-w-0 flex-1 flex-col lg:flex ${id === null ? "hidden" : "flex"}`}>{detail}</div>
    </PanePage>
  );
}

/** Says why an assistant is not shown: it loads, it could not be read, or there is none. */
function UnreadAssistant({
  id,
  isMissing,
  failure,
  onRetry,
  onClose,
}: {
  id: string;
  isMissing: boolean;
  failure: string | undefined;
  onRetry: () => void;
  onClose: () => void;
}) {
  return (
    <div className="flex flex-1 flex-col gap-4 p-6">
      <Button variant="quiet" onClick={onClose} className="-ml-2 self-start px-2! lg:hidden">
        <ArrowLeft /> Assistants
      </Button>
      {failure === undefined ? null : (
        <LoadFailure what="The assistant" onRetry={onRetry}>
          {failure}
        </LoadFailure>
      )}
      {failure === undefined && isMissing ? (
        <MissingNotice what="assistant" id={id} lead={<Button onClick={onClose}>All assistants</Button>}>
          It was deleted, or you are not allowed to see it.
        </MissingNotice>
      ) : null}
      {failure === undefined && !isMissing ? <Loading what="the assistant" className="h-80" /> : null}
    </div>
  );
}

interface ReadAssistant {
  readonly id: string | null;
  /** Null if there is none. */
  readonly assistant: Assistant | null;
}

async function readAssistant(api: AssistantApi, id: string | null): Promise<ReadAssistant> {
  if (id === null || id === NEW) return { id, assistant: null };
  try {
    return { id, assistant: await api.get(id) };
  } catch (error) {
    if (error instanceof RequestFailure && error.status === 404) return { id, assistant: null };
    throw error;
  }
}

function NoneChosen() {
  return (
    <Empty icon={<Bot />} title="Choose an assistant to read and edit it" className="">
      An assistant is a graph with a configuration: its prompts, its context and its name. Every graph has one of its
      own. With “New assistant” you add variants.
    </Empty>
  );
}

/** Returns the metadata of a copy, which is no system assistant. */
function copied({ metadata }: Assistant): Assistant["metadata"] {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== "created_by"));
}

type Edits = Readonly<Record<string, AssistantEdit | undefined>>;

const NO_EDITS: Edits = {};

function editedIds(edits: Edits): ReadonlySet<string> {
  const edited = Object.entries(edits).filter(([, edit]) => edit && isEdited(edit));
  return new Set(edited.map(([id]) => id));
}
