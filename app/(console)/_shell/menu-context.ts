"use client";

import { createContext, useContext } from "react";

export const MenuContext = createContext<() => void>(() => {});

/** Opens the sidebar on phones, where it is a drawer. The module is small, because the top bar of every page needs it. */
export const useOpenMenu = (): (() => void) => useContext(MenuContext);
