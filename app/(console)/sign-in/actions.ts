"use server";

import { redirect } from "next/navigation";
import { endSession } from "../_shell/session.ts";

export async function signOut(): Promise<void> {
  await endSession("this");
  redirect("/sign-in");
}

export async function signOutEverywhere(): Promise<void> {
  await endSession("all");
  redirect("/sign-in");
}
