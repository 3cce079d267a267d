/** The steps of a build, in their order. */
export const buildSteps = ["cloning", "validating", "installing", "building", "starting", "checking"] as const;
export type BuildStep = (typeof buildSteps)[number];
