"use client";

import { useTheme } from "next-themes";
import { useRouter } from "next/navigation";
import { control, failureMessage } from "#lib/client/control.ts";
import { copyText } from "#lib/client/copy-text.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { signOut } from "./sign-out.ts";
import { notify } from "../_ui/toast.ts";
import type { Effect } from "./palette-choices.ts";

/** Returns a function that does what a choice stands for, except to enter a deployment. */
export function useEffects(onHelp: () => void): (effect: Exclude<Effect, { type: "enter" }>) => void {
  const router = useRouter();
  const { setTheme } = useTheme();
  return (effect) => {
    switch (effect.type) {
      case "go":
        return router.push(effect.href);
      case "theme":
        return setTheme(effect.theme);
      case "help":
        return onHelp();
      case "sign-out":
        return signOut();
      case "open-api":
        return window.location.assign("/api/openapi.json");
      case "copy-url":
        return void copyUrl(effect.deployment);
      case "redeploy":
        return void redeploy(effect.deployment, router.push);
    }
  };
}

async function copyUrl(deployment: string): Promise<void> {
  try {
    const { api_url } = await control.get(deployment);
    const isCopied = await copyText(api_url);
    notify({
      title: isCopied ? "API URL copied" : "The API URL was not copied",
      detail: api_url,
      tone: isCopied ? "ok" : "bad",
    });
  } catch (error) {
    notify({ title: "The API URL was not copied", detail: failureMessage(error), tone: "bad" });
  }
}

async function redeploy(deployment: string, open: (href: string) => void): Promise<void> {
  try {
    const { number } = await control.redeploy(deployment);
    open(`${deploymentPath(deployment)}/revisions/${number}`);
  } catch (error) {
    notify({ title: `${deployment} was not redeployed`, detail: failureMessage(error), tone: "bad" });
  }
}
