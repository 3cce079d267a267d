import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";

const owned = ({ value, user }) => {
  value.metadata = { ...value.metadata, owner: user.identity };
  return { owner: user.identity };
};

/** Teams share their namespaces and read their own items there. Every other user has separate namespaces. */
const isTeam = (user) => user.identity.startsWith("team ");

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
  .on("threads:update", (call) => (call.user.identity === "reader" ? false : owned(call)))
  .on("threads:search", ({ user }) => ({ owner: { $eq: user.identity } }))
  .on("crons", owned)
  .on("crons:create", (call) => {
    if (call.value.payload.webhook) return false;
    if (call.user.identity === "dana") call.value.schedule = "0 0 2 1 *";
    return owned(call);
  })
  .on("crons:search", ({ user }) => ({ owner: user.identity }))
  .on("store", ({ value, user }) => {
    if (isTeam(user)) return { owner: user.identity };
    value.namespace = [user.identity, ...(value.namespace ?? [])];
  })
  .on("store:put", ({ value, user }) => {
    if (isTeam(user)) return { owner: user.identity };
    value.namespace = [user.identity, ...value.namespace];
    return { kind: value.value.kind === "secret" ? "nothing" : value.value.kind };
  })
  .on("assistants:search", ({ user }) => user.identity !== "eve")
  .on("assistants:read", ({ user }) => {
    if (user.identity === "bob") return { readers: { $contains: "bob" } };
    if (user.identity === "eve") throw new HTTPException(418, { message: "No tea for eve" });
    if (user.identity === "mallory") return "yes";
  });
