import { isObject, parseJson } from "../protocol/json.ts";

/** The server refused a request, or could not be reached (then `status` is 0). The message gives the reason. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const UNREACHABLE = "The server could not be reached.";
const LONGEST = 600;

/** Returns the message of an error response: the `detail` of a JSON body, or the text itself unless it is HTML. */
export async function messageOf(response: Response): Promise<string> {
  const fallback = `The server answered ${response.status}${response.statusText ? ` ${response.statusText}` : ""}.`;
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("html")) return fallback;
  const body = await response.text().catch(() => "");
  const detail = type.includes("json") ? detailOf(body) : body;
  return detail.trim() === "" ? fallback : detail.slice(0, LONGEST);
}

/** Returns the response of a request. Throws `RequestFailure` if it is an error, and `AbortError` if it was aborted. */
export async function accepted(answer: Promise<Response>, unreachable = UNREACHABLE): Promise<Response> {
  const response = await answer.catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === "AbortError") throw thrown;
    throw new RequestFailure(0, unreachable);
  });
  if (response.ok || response.status === 304) return response;
  throw new RequestFailure(response.status, await messageOf(response));
}

function detailOf(body: string): string {
  const parsed = parseJson(body);
  return isObject(parsed) && typeof parsed.detail === "string" ? parsed.detail : body;
}
