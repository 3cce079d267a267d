import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";

/** Users own the threads that they create. Eve may not run anything. */
export const auth = new Auth()
  .authenticate((request) => {
    const identity = /^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    if (identity === undefined) throw new HTTPException(401, { message: "Who are you?" });
    return identity;
  })
  .on("threads", ({ value, user }) => {
    if ("metadata" in value) value.metadata = { ...value.metadata, owner: user.identity };
    return { owner: user.identity };
  })
  .on("threads:create_run", ({ user }) => user.identity !== "eve");
