import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";

/** Refuses everybody with a page that would run a script where it is shown. */
export const auth = new Auth().authenticate(() => {
  throw new HTTPException(401, {
    message: "<!doctype html><script>fetch('/api/deployments')</script>",
    headers: {
      "Content-Type": "text/html",
      "Set-Cookie": "graphlib_session=forged; Path=/",
      "Service-Worker-Allowed": "/",
      "WWW-Authenticate": 'Basic realm="Graphlib"',
    },
  });
});
