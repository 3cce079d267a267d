import { History, type LucideIcon, MessageCircle, PanelsTopLeft, ScrollText, Settings, Waypoints } from "lucide-react";

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
  { path: "/chat", title: "Chat", icon: MessageCircle, key: "c" },
  { path: "/a2a", title: "A2A", icon: Waypoints, key: "a" },
  { path: "/logs", title: "Logs", icon: ScrollText, key: "l" },
  { path: "/revisions", title: "Revisions", icon: History, key: "r", matchSubpages: true },
  { path: "/settings", title: "Settings", icon: Settings },
];
