/** File names of the configuration, in the order in which they are tried. */
export const configFileNames = ["graphlib.json", "langgraph.json"] as const;
