import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";

const owned = ({ value, user }) => {
  value.metadata = { ...value.metadata, owner: user.identity };
  return { owner: user.identity };
};

export const auth = new Auth()
  .authenticate((request) => {
    const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token === "crash") process.exit(7);
    if (token === "wrong") throw new Error("database password is hunter2");
    if (token === "nobody") return { name: "no identity" };
    if (token === undefined)
      throw new HTTPException(401, {
        message: "Who are you?",
        headers: { "www-authenticate": "Own", "x-why": "token" },
      });
    if (token === "plain") return token;
    return { identity: token, permissions: ["talk"], url: request.url, method: request.method };
  })
  .on("threads", owned)
  .on("threads:search", ({ user }) => ({ owner: { $eq: user.identity } }))
  .on("store", ({ value, user }) => {
    value.namespace = [user.identity, ...(value.namespace ?? [])];
  })
  .on("store:put", ({ value, user }) => {
    value.namespace = [user.identity, ...value.namespace];
    return { kind: value.value.kind === "secret" ? "nothing" : value.value.kind };
  })
  .on("assistants:search", ({ user }) => user.identity !== "eve")
  .on("assistants:read", ({ user }) => {
    if (user.identity === "bob") return { readers: { $contains: "bob" } };
    if (user.identity === "eve") throw new HTTPException(418, { message: "No tea for eve" });
    if (user.identity === "mallory") return "yes";
  });
