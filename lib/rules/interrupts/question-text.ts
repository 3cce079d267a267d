/** Describes an interrupt as text, for readers that cannot show a form, such as another agent. */
import { isObject } from "../../protocol/json.ts";
import { readInterrupt } from "./answer-form.ts";
import { readReview, type ReviewedAction } from "./review-request.ts";

/** Returns the question or the request to review; any other value as JSON. Total. */
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
