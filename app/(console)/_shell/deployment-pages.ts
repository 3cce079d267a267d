import {
  Bot,
  CalendarClock,
  Database,
  History,
  ListVideo,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  PanelsTopLeft,
  ScrollText,
  Settings,
  Waypoints,
  Workflow,
} from "lucide-react";

interface DeploymentPage {
  /** The path below the deployment's. */
  readonly path: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** The key that opens the page, after `g`. */
  readonly key?: string;
  /** Subpages mark the link as current, too. */
  readonly matchSubpages?: boolean;
}

export const DEPLOYMENT_PAGES: readonly DeploymentPage[] = [
  { path: "", title: "Overview", icon: PanelsTopLeft, key: "o" },
  { path: "/studio", title: "Studio", icon: Workflow, key: "s", matchSubpages: true },
  { path: "/chat", title: "Chat", icon: MessageCircle, key: "c" },
  { path: "/threads", title: "Threads", icon: MessagesSquare, key: "t", matchSubpages: true },
  { path: "/runs", title: "Runs", icon: ListVideo, key: "n", matchSubpages: true },
  { path: "/crons", title: "Crons", icon: CalendarClock, key: "k" },
  { path: "/assistants", title: "Assistants", icon: Bot, key: "i" },
  { path: "/store", title: "Store", icon: Database, key: "m" },
  { path: "/a2a", title: "A2A", icon: Waypoints, key: "a" },
  { path: "/logs", title: "Logs", icon: ScrollText, key: "l" },
  { path: "/revisions", title: "Revisions", icon: History, key: "r", matchSubpages: true },
  { path: "/settings", title: "Settings", icon: Settings },
];

/** Returns the deployment's page to which a URL path belongs, such as `/revisions` for `/deployments/x/revisions/2`. */
export function pageOf(path: string): string {
  const below = path.replace(/^\/deployments\/[^/]+/, "");
  return DEPLOYMENT_PAGES.find((page) => page.path !== "" && `${below}/`.startsWith(`${page.path}/`))?.path ?? "";
}

const STUDIO = "/studio";
const hasStudio = DEPLOYMENT_PAGES.some((page) => page.path === STUDIO);

/** Returns the page that shows a graph, below the path of its deployment. */
export function graphPath(graph: string): string {
  const name = encodeURIComponent(graph);
  return hasStudio ? `${STUDIO}/${name}` : `?graph=${name}`;
}

/** Returns whether a URL path is that of a page that shows a graph. */
export function isGraphPage(path: string): boolean {
  const isOfDeployment = /^\/deployments\/(?!new$)[^/]/.test(path);
  return isOfDeployment && pageOf(path) === (hasStudio ? STUDIO : "");
}
