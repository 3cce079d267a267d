import { isObject } from "../protocol/json.ts";

const LONGEST = 600;

/** The sentence in an error answer: the `detail` of a JSON body, or the text itself unless it is a page. */
export async function messageOf(response: Response): Promise<string> {
  const fallback = `The server answered ${response.status}${response.statusText ? ` ${response.statusText}` : ""}.`;
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("html")) return fallback;
  const body = await response.text().catch(() => "");
  const detail = type.includes("json") ? detailOf(body) : body;
  return detail.trim() === "" ? fallback : detail.slice(0, LONGEST);
}

function detailOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    return isObject(parsed) && typeof parsed.detail === "string" ? parsed.detail : body;
  } catch {
    return body;
  }
}
