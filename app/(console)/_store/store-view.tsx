"use client";

import { Database, Plus, RotateCw } from "lucide-react";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { type StoreApi, storeApi } from "#lib/client/store.ts";
import { Authenticated, type CallerProps } from "../_auth/authenticated.tsx";
import type { Caller } from "../_auth/caller.ts";
import { Empty } from "../_rooms/empty.tsx";
import { PanePage } from "../_rooms/pane-page.tsx";
import { useReconnected } from "../_shell/use-reconnected.ts";
import { Button, IconButton } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Loading } from "../_ui/skeleton.tsx";
import { isSameItem } from "./item-words.tsx";
import { type StoreQuery, useStoreQuery } from "./store-query.ts";
import { type Items, useItems } from "./use-items.ts";
import { useNamespaces } from "./use-namespaces.ts";

interface StoreViewProps extends CallerProps {
  /** True if the application has `store.index`, so that items are found by meaning. */
  hasIndex: boolean;
}

const ItemForm = lazyPart(() => import("./item-form.tsx"));
const ItemPanel = lazyPart(() => import("./item-panel.tsx"));
const ItemPane = lazyPart(() => import("./item-pane.tsx"));
const NamespaceSection = lazyPart(() => import("./namespace-section.tsx"));

const PAGE = { label: "Store", path: "store" };

/** The long-term store of a deployment. */
export function StoreView(props: StoreViewProps) {
  return (
    <Authenticated {...props} page={PAGE}>
      {(caller) => <Store key={caller} {...props} activeCaller={caller} />}
    </Authenticated>
  );
}

function Store({ deployment, hasIndex, activeCaller }: StoreViewProps & { activeCaller: Caller }) {
  const api = useMemo(() => storeApi(apiBase(deployment)), [deployment]);
  const query = useStoreQuery();
  const namespaces = useNamespaces(api);
  const by = hasIndex ? query.by : "text";
  const items = useItems(api, query.namespace, query.q, by);
  const refresh = (): void => {
    void namespaces.refresh();
    void items.refresh();
  };
  useReconnected(refresh);
  const isEmpty = namespaces.failure === undefined && namespaces.page?.namespaces.length === 0;
  const isDetail = query.item !== undefined || query.edit === "new";
  const isListOnPhone = !isDetail && query.isOpen;
  return (
    <PanePage
      deployment={deployment}
      caller={activeCaller}
      title="Store"
      path="store"
      actions={
        <>
          <IconButton label="Read the store again" onClick={refresh}>
            <RotateCw />
          </IconButton>
          <Button variant="primary" onClick={() => query.setEdit("new")}>
            <Plus /> Add item
          </Button>
        </>
      }
    >
      <section
        aria-label="Namespace tree"
        className={`min-h-0 flex-col border-r border-line max-lg:w-full lg:flex lg:w-64 lg:shrink-0 ${
          isDetail || isListOnPhone ? "hidden" : "flex"
        }`}
      >
        <Suspense fallback={<Loading what="the namespaces" className="m-4 h-32" />}>
          <NamespaceSection namespaces={namespaces} current={query.labels} onOpen={query.openNamespace} />
          {isEmpty ? (
            <div className="flex flex-1 flex-col lg:hidden">
              <NoItems />
            </div>
          ) : null}
        </Suspense>
      </section>
      <Suspense
        fallback={
          <Loading what="the items" className={`m-4 h-40 lg:w-88 ${isListOnPhone ? "w-full" : "max-lg:hidden"}`} />
        }
      >
        <ItemPane query={query} items={items} by={by} hasIndex={hasIndex} isHidden={!isListOnPhone} />
      </Suspense>
      <Detail api={api} query={query} items={items} isEmpty={isEmpty} isShown={isDetail} onChange={refresh} />
    </PanePage>
  );
}

function NoItems() {
  return (
    <Empty icon={<Database />} title="The store is empty" className="">
      Graphs keep here what they remember beyond a thread, such as facts about a user: a node calls{" "}
      <code className="font-mono text-code">store.put</code>. With “Add item” you write one yourself.
    </Empty>
  );
}

function Detail({
  api,
  query,
  items,
  isEmpty,
  isShown,
  onChange,
}: {
  api: StoreApi;
  query: StoreQuery;
  items: Items;
  /** True if nothing is stored at all. */
  isEmpty: boolean;
  isShown: boolean;
  onChange: () => void;
}) {
  const { item, edit } = query;
  let content: ReactNode = isEmpty ? (
    <NoItems />
  ) : (
    <p className="m-auto p-6 text-center text-ink-3">Choose an item to read and edit it.</p>
  );
  const [saved, setSaved] = useState(0);
  if (edit === "new") {
    content = (
      <section aria-label="New item" className="min-h-0 flex-1 overflow-y-auto p-4">
        <h2 className="mb-4 font-semibold">New item</h2>
        <Suspense fallback={<Loading what="the editor" className="h-60" />}>
          <ItemForm
            api={api}
            namespace={query.labels}
            onCancel={() => query.setEdit(null)}
            onOpen={query.openItem}
            onSaved={(id) => {
              setSaved(saved + 1);
              query.openItem(id, "replace");
              onChange();
            }}
          />
        </Suspense>
      </section>
    );
  } else if (item) {
    content = (
      <Suspense fallback={<Loading what="the item" className="m-4 h-32" />}>
        <ItemPanel
          key={`${item.namespace.join(".")}\n${item.key}\n${saved}`}
          api={api}
          id={item}
          listed={items.items.find((one) => isSameItem(item, one))}
          isEditing={edit === "item"}
          takesFocus={false}
          onEdit={(isEditing) => query.setEdit(isEditing ? "item" : null)}
          onClose={query.closeItem}
          onChange={onChange}
        />
      </Suspense>
    );
  }
  return <div className={`min-h-0 min-w-0 flex-1 flex-col lg:flex ${isShown ? "flex" : "hidden"}`}>{content}</div>;
}
