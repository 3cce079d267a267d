/** What an interrupt asks, as text for readers that have no form for it: an answer that is written, another agent. */
import { isObject } from "../../protocol/json.ts";
import { readInterrupt } from "./answer-form.ts";
import { readReview, type ReviewedAction } from "./review-request.ts";

/** Total. What has neither a question nor a request to review in it is JSON. */
export function questionText(value: unknown): string {
  if (typeof value === "string") return value;
  const review = readReview(value);
  if (review) return review.actions.map(actionText).join("\n\n");
  if (!isObject(value) || typeof value.question !== "string") return JSON.stringify(value) ?? "";
  const { question, draft } = readInterrupt(value);
  return draft === undefined ? question : `${question}\n\n${draft}`;
}

function actionText({ name, args, description }: ReviewedAction): string {
  const given = Object.entries(args).map(
    ([key, arg]) => `${key}: ${typeof arg === "string" ? arg : JSON.stringify(arg)}`,
  );
  const call = [name, ...given].join("\n");
  return description === undefined ? call : `${description}\n\n${call}`;
}
