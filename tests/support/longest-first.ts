import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, because they wait for time limits and build many applications. */
const LONGEST = [
  "security/builds",
  "security/hostile",
  "security/quotas",
  "security/fence",
  "security/bodies",
  "api/bad-sources",
  "api/build-faults",
  "api/node-versions",
  "drivers/builds-workspaces",
  "drivers/builds-turborepo",
  "drivers/builds-install-failures",
  "drivers/builds-install",
  "security/sessions",
  "api/isolation",
  "api/older-langgraph",
  "api/cli",
  "api/samples",
];

/** Starts the files that take longest before all others, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // eslint-disable-next-line unicorn/no-array-sort -- this is not the sort of an array
    const sorted = await super.sort(files);
    const isLong = (file: TestSpecification): boolean =>
      LONGEST.some((name) => file.moduleId.endsWith(`/${name}.test.ts`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
