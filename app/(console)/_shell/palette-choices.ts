import {
  Copy,
  FileJson,
  Keyboard,
  LayoutGrid,
  LogOut,
  type LucideIcon,
  MessageCircle,
  MessageSquare,
  Monitor,
  Moon,
  Plus,
  RotateCw,
  Share2,
  Sun,
} from "lucide-react";
import type { FollowedDeployment } from "#lib/client/follow-deployments.ts";
import type { ListedAssistant } from "#lib/client/palette.ts";
import { type ThreadSummary, titleOf } from "#lib/client/threads.ts";
import { relativeTime } from "#lib/client/measures.ts";
import type { Choice } from "#lib/rules/text/rank.ts";
import { type RecentThread, threadPath } from "#lib/rules/threads/recent.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { DEPLOYMENT_PAGES, graphPath } from "./deployment-pages.ts";
import { DEPLOYMENT_STATUS, type Tone } from "../_ui/status.tsx";

/** The effect of a choice. */
export type Effect =
  | { readonly type: "go"; readonly href: string }
  /** Shows the choices of another deployment. */
  | { readonly type: "enter"; readonly deployment: string }
  | { readonly type: "redeploy" | "copy-url"; readonly deployment: string }
  | { readonly type: "theme"; readonly theme: string }
  | { readonly type: "help" | "sign-out" | "open-api" };

export interface PaletteChoice extends Choice {
  readonly id: string;
  readonly group: string;
  readonly icon?: LucideIcon;
  /** A status in place of the icon. */
  readonly tone?: Tone;
  readonly detail?: string;
  readonly keys?: string;
  /** True if only a query of two or more words finds it, because there are many of its kind. */
  readonly isDeep?: boolean;
  readonly effect: Effect;
}

const go = (href: string): Effect => ({ type: "go", href });

/** The pages of a deployment, and what can be done with it. The keys of the pages count for the current one only. */
export function deploymentChoices(name: string, isCurrent: boolean): PaletteChoice[] {
  const base = deploymentPath(name);
  const keywords = [name];
  const action = { group: "Actions", keywords };
  return [
    ...DEPLOYMENT_PAGES.map(({ path, title, icon, key }) => ({
      id: `${name} page ${path}`,
      group: `Go to · ${name}`,
      title,
      icon,
      keys: isCurrent && key !== undefined ? `g ${key}` : undefined,
      keywords,
      effect: go(base + path),
    })),
    { ...action, id: `${name} new-chat`, title: "New chat", icon: MessageCircle, effect: go(`${base}/chat`) },
    {
      ...action,
      id: `${name} redeploy`,
      title: `Redeploy ${name}`,
      icon: RotateCw,
      effect: { type: "redeploy", deployment: name },
    },
    {
      ...action,
      id: `${name} copy-url`,
      title: "Copy API URL",
      icon: Copy,
      effect: { type: "copy-url", deployment: name },
    },
  ];
}

/** The deployments, and the pages of all but the current one. */
export function otherChoices(deployments: readonly FollowedDeployment[], current: string | undefined): PaletteChoice[] {
  return deployments.flatMap(({ name, status }): PaletteChoice[] => {
    const { tone, word } = DEPLOYMENT_STATUS[status];
    const deployment = { id: `deployment ${name}`, group: "Deployments", title: name, tone };
    const detail = name === current ? `${word} · current` : word;
    const pages = DEPLOYMENT_PAGES.map(({ path, title, icon }) => ({
      id: `${name} page ${path}`,
      group: "Pages of other deployments",
      title: `${name} / ${title}`,
      icon,
      isDeep: true,
      effect: go(deploymentPath(name) + path),
    }));
    const entry = { ...deployment, detail, effect: { type: "enter", deployment: name } } as const;
    return name === current ? [entry] : [entry, ...pages];
  });
}

/** Returns the actions that every page offers. */
export function consoleChoices(keyed: boolean): PaletteChoice[] {
  const group = "Actions";
  const themes = [
    { theme: "light", word: "Light", icon: Sun },
    { theme: "dark", word: "Dark", icon: Moon },
    { theme: "system", word: "System", icon: Monitor },
  ];
  return [
    { id: "new", group, title: "New deployment", icon: Plus, keys: "c", effect: go("/deployments/new") },
    { id: "list", group, title: "All deployments", icon: LayoutGrid, keys: "g d", effect: go("/") },
    { id: "help", group, title: "Keyboard shortcuts", icon: Keyboard, keys: "?", effect: { type: "help" } },
    ...themes.map(({ theme, word, icon }): PaletteChoice => ({
      id: `theme ${theme}`,
      group,
      title: `${word} theme`,
      keywords: ["appearance", "switch", "mode"],
      icon,
      effect: { type: "theme", theme },
    })),
    {
      id: "open-api",
      group,
      title: "OpenAPI description",
      keywords: ["docs", "reference", "api"],
      icon: FileJson,
      effect: { type: "open-api" },
    },
    ...(keyed
      ? [
          {
            id: "out",
            group,
            title: "Sign out",
            icon: LogOut,
            keywords: ["log"],
            effect: { type: "sign-out" },
          } as const,
        ]
      : []),
  ];
}

/** The graphs and assistants of a deployment, and a chat with each. */
export function assistantChoices(name: string, assistants: readonly ListedAssistant[]): PaletteChoice[] {
  const base = deploymentPath(name);
  return assistants.flatMap((one): PaletteChoice[] => {
    const isGraph = one.metadata?.created_by === "system";
    const id = isGraph ? one.graph_id : one.assistant_id;
    const keywords = [name, one.graph_id, "assistant", "graph"];
    return [
      {
        id: `${name} assistant ${id}`,
        group: "Graphs and assistants",
        title: one.name,
        detail: isGraph ? "Graph" : `Assistant of ${one.graph_id}`,
        icon: Share2,
        keywords,
        effect: go(base + graphPath(one.graph_id)),
      },
      {
        id: `${name} chat ${id}`,
        group: "Actions",
        title: `New chat with ${one.name}`,
        icon: MessageCircle,
        keywords,
        isDeep: true,
        effect: go(`${base}/chat?assistant=${encodeURIComponent(id)}`),
      },
    ];
  });
}

export function recentChoices(name: string, threads: readonly RecentThread[]): PaletteChoice[] {
  return threads.map((one) => ({
    id: `${name} thread ${one.id}`,
    group: "Recent threads",
    title: one.title,
    keywords: [one.id],
    icon: MessageSquare,
    effect: go(deploymentPath(name) + threadPath(one)),
  }));
}

const LOOKS_LIKE_AN_ID = /^[0-9a-f-]{4,36}$/i;

/** Threads that the API found. Their ids count only for a query that looks like one: all consist of the same letters. */
export function threadChoices(
  name: string,
  threads: readonly ThreadSummary[],
  query: string,
  now: number,
): PaletteChoice[] {
  const isId = LOOKS_LIKE_AN_ID.test(query.trim());
  return threads.map((one) => ({
    id: `${name} thread ${one.thread_id}`,
    group: "Threads",
    title: titleOf(one),
    detail: relativeTime(Date.parse(one.updated_at), now),
    keywords: isId ? [one.thread_id] : [],
    icon: MessageSquare,
    effect: go(deploymentPath(name) + threadPath(placeOf(one))),
  }));
}

/** A conversation opens in the chat, another thread in the Studio of its graph, and one without runs on its own page. */
function placeOf({ thread_id: id, extracted, metadata }: ThreadSummary): Omit<RecentThread, "title"> {
  if ((extracted.first ?? null) !== null) return { id, where: "chat" };
  return typeof metadata.graph_id === "string"
    ? { id, where: "studio", graph: metadata.graph_id }
    : { id, where: "thread" };
}
