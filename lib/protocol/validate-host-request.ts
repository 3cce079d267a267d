/** Validates requests of a graph. The checks are written by hand, because each step makes several requests. */
import type { CheckpointChange } from "./checkpoints.ts";
import type { HostRequest } from "./host-requests.ts";
import { isObject, parseJson } from "./json.ts";

/** Returns whether a JSON value is a request. Operations of the store are parsed where they are executed. */
export function isHostRequest(ask: unknown): ask is HostRequest {
  if (!isObject(ask)) return false;
  if (ask.about === "store") return Array.isArray(ask.operations);
  if (ask.about !== "checkpoint") return false;
  switch (ask.do) {
    case "get":
      return hasNamespace(ask) && isTextOrNone(ask.id) && isTextOrNone(ask.known);
    case "list":
      return isQuery(ask);
    case "put":
      return (
        isCursor(ask) &&
        isTextOrNone(ask.parent) &&
        isCheckpoint(ask.checkpoint) &&
        isObjectText(ask.metadata) &&
        isListOf(ask.versions, isVersion)
      );
    case "writes":
      return isCursor(ask) && isListOf(ask.writes, isWrite);
    case "delete":
      return isText(ask.thread);
    default:
      return false;
  }
}

/** Returns whether a JSON value is a change of a checkpoint. */
export function isCheckpointChange(tell: unknown): tell is CheckpointChange {
  return isHostRequest(tell) && tell.about === "checkpoint" && (tell.do === "put" || tell.do === "writes");
}

type Members = Record<string, unknown>;

const isText = (value: unknown): boolean => typeof value === "string";
const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === "string";
const hasNamespace = ({ thread, ns }: Members): boolean => isText(thread) && isText(ns);
const isCursor = (value: unknown): boolean => isObject(value) && hasNamespace(value) && isText(value.id);
const isWhole = (value: unknown): boolean => typeof value === "number" && Number.isSafeInteger(value);
const isValue = (value: unknown): boolean => isObject(value) && isText(value.type) && isText(value.data);

function isListOf(values: unknown, is: (value: unknown) => boolean): boolean {
  return Array.isArray(values) && values.every(is);
}

function isQuery({ thread, ns, id, before, after, limit, filter }: Members): boolean {
  return (
    [thread, ns, id, before].every(isTextOrNone) &&
    (after === undefined || isCursor(after)) &&
    (limit === undefined || isWhole(limit)) &&
    (filter === undefined || isObject(filter))
  );
}

function isVersion(value: unknown): boolean {
  if (!isObject(value) || !isText(value.channel) || !isText(value.version)) return false;
  return isPart(value.value) || isValue(value.value);
}

/** Returns whether a value is a part of a list. Items are stored one per line, so they contain no line end. */
function isPart(value: unknown): boolean {
  if (!isObject(value) || !("items" in value)) return false;
  const { base, keep, items } = value;
  const isItem = (item: unknown): boolean => typeof item === "string" && !item.includes("\n");
  return isTextOrNone(base) && isWhole(keep) && Number(keep) >= 0 && isListOf(items, isItem);
}

function isWrite(value: unknown): boolean {
  if (!isObject(value) || !isValue(value)) return false;
  return isText(value.task) && isText(value.channel) && isWhole(value.index);
}

/** Returns whether a text is a checkpoint whose `channel_versions` the host can read. */
function isCheckpoint(text: unknown): boolean {
  const checkpoint = objectOf(text);
  if (!checkpoint) return false;
  const versions = checkpoint.channel_versions ?? {};
  return isObject(versions) && Object.values(versions).every((one) => isText(one) || typeof one === "number");
}

const isObjectText = (text: unknown): boolean => objectOf(text) !== undefined;

function objectOf(text: unknown): Members | undefined {
  const value = typeof text === "string" ? parseJson(text) : undefined;
  return isObject(value) ? value : undefined;
}
