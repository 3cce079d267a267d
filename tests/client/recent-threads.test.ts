import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  forgetUser,
  forgetThread,
  onRecentThreads,
  recentThreads,
  rememberThread,
} from "../../lib/client/recent-threads.ts";

/** A storage as browsers have it: its keys are its own properties. */
function createStorage(): Record<string, unknown> {
  const storage: Record<string, unknown> = {};
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, text: string) => void (storage[key] = text),
    removeItem: (key: string) => void delete storage[key],
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(storage, name, { value });
  return storage;
}

const titles = (deployment: string): string[] => recentThreads(deployment).map((one) => one.title);

beforeEach(() => {
  vi.stubGlobal("localStorage", createStorage());
  vi.stubGlobal("sessionStorage", { clear: vi.fn<() => void>() });
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => vi.unstubAllGlobals());

describe("recent threads in the browser", () => {
  test("are kept by deployment, with the newest title", () => {
    rememberThread("a", { id: "1", title: "One", where: "chat" });
    rememberThread("a", { id: "2", title: "Two", where: "chat" });
    rememberThread("b", { id: "1", title: "Other", where: "chat" });
    rememberThread("a", { id: "1", title: "One, renamed", where: "thread" });
    expect(titles("a")).toEqual(["One, renamed", "Two"]);
    expect(titles("b")).toEqual(["Other"]);
  });

  test("are the same object until they change, as React's stores require", () => {
    rememberThread("a", { id: "1", title: "One", where: "chat" });
    const before = recentThreads("a");
    rememberThread("a", { id: "1", title: "One", where: "chat" });
    expect(recentThreads("a")).toBe(before);
    rememberThread("a", { id: "1", title: "Two", where: "chat" });
    expect(recentThreads("a")).not.toBe(before);
  });

  test("tell their listeners of changes, also of those in another tab, until they leave", () => {
    const listener = vi.fn<() => void>();
    const leave = onRecentThreads(listener);
    rememberThread("a", { id: "1", title: "One", where: "chat" });
    expect(listener).toHaveBeenCalledTimes(1);
    rememberThread("a", { id: "1", title: "One", where: "chat" });
    expect(listener).toHaveBeenCalledTimes(1);
    forgetThread("a", "2");
    expect(listener).toHaveBeenCalledTimes(1);
    forgetThread("a", "1");
    expect(listener).toHaveBeenCalledTimes(2);
    window.dispatchEvent(Object.assign(new Event("storage"), { key: "graphlib.recent a" }));
    window.dispatchEvent(Object.assign(new Event("storage"), { key: "another" }));
    expect(listener).toHaveBeenCalledTimes(3);
    leave();
    rememberThread("a", { id: "1", title: "One", where: "chat" });
    expect(listener).toHaveBeenCalledTimes(3);
  });

  test("are all gone after signing out, with what the tab stored, and nothing else is", () => {
    rememberThread("a", { id: "1", title: "One", where: "chat" });
    rememberThread("b", { id: "2", title: "Two", where: "chat" });
    localStorage.setItem("graphlib.keys", "off");
    forgetUser();
    expect(sessionStorage.clear).toHaveBeenCalledOnce();
    expect([...titles("a"), ...titles("b")]).toEqual([]);
    expect(localStorage.getItem("graphlib.keys")).toBe("off");
  });

  test("are none where there is no storage", () => {
    vi.stubGlobal("localStorage", undefined);
    rememberThread("c", { id: "1", title: "One", where: "chat" });
    forgetUser();
    expect(titles("c")).toEqual([]);
  });
});
