/** Port of assistants. */
import type {
  Assistant,
  AssistantChange,
  AssistantFilter,
  AssistantSearch,
  AssistantVersion,
  VersionSearch,
} from "../../protocol/assistants.ts";
import type { Visibility } from "../../rules/visibility.ts";

/** Implemented in lib/drivers/sql/assistants.ts. */
export interface AssistantStore {
  /** Inserts an assistant with a first version, unless its id is taken. Returns whether it did. */
  ensure(assistant: Assistant): Promise<boolean>;
  get(assistantId: string): Promise<Assistant | undefined>;
  search(search: AssistantSearch, visible?: Visibility): Promise<{ assistants: Assistant[]; total: number }>;
  count(filter: AssistantFilter, visible?: Visibility): Promise<number>;
  /** Stores what `change` returns, under a version number that was never used. Concurrent changes are not lost. */
  update(assistantId: string, change: AssistantChange): Promise<Assistant | undefined>;
  versions(assistantId: string, search: VersionSearch): Promise<AssistantVersion[]>;
  /** Restores one of the versions; undefined when there is no such version. */
  setLatest(assistantId: string, version: number, now: string): Promise<Assistant | undefined>;
  /** Deletes an assistant with its versions and its ended runs. Returns false when there is none. */
  delete(assistantId: string): Promise<boolean>;
}
