export interface Plan {
  title: string;
  steps: Step[];
  /** Not before this one is done. */
  after?: Plan;
}

export type Step = { kind: "search"; query: string } | { kind: "wait"; seconds: number };
