"use client";

import { FilterField } from "../_rooms/filter-field.tsx";
import { AssistantFilter, FilterSelect } from "../_rooms/filter-select.tsx";
import type { RoomAssistant } from "../_rooms/room-assistant.ts";
import { filterProblem, THREAD_FILTERS, type ThreadFilter } from "./thread-filter.ts";
import { THREAD_STATUS } from "./thread-status.tsx";

export function ThreadFilters({
  filter,
  setFilter,
  assistants,
}: {
  filter: ThreadFilter;
  setFilter: (change: {
    [Name in keyof typeof THREAD_FILTERS]?: ReturnType<(typeof THREAD_FILTERS)[Name]["parse"]>;
  }) => void;
  assistants: readonly RoomAssistant[];
}) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      <FilterField
        label="Filter threads"
        placeholder='Thread id, or metadata as key:value, key:"two words"'
        value={filter.q}
        onValue={(q) => setFilter({ q: q === "" ? null : q })}
        problem={filterProblem(filter.q)}
      />
      {filter.view === "inbox" ? null : (
        <FilterSelect
          label="Status"
          all="Every status"
          value={filter.status}
          onValue={(status) => setFilter({ status: THREAD_FILTERS.status.parse(status ?? "") })}
          options={Object.entries(THREAD_STATUS).map(([status, { word }]) => [status, word])}
        />
      )}
      <AssistantFilter
        assistants={assistants}
        value={filter.assistant}
        onValue={(assistant) => setFilter({ assistant })}
      />
    </div>
  );
}
