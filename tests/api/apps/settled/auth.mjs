import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";

let asked = 0;

export const auth = new Auth()
  .authenticate((request) => {
    const token = request.headers.get("authorization");
    asked++;
    if (token === null) throw new HTTPException(401, { message: `Asked ${asked} times` });
    if (token === "broken") throw new Error("no database");
    if (token === "crash") process.exit(7);
    return { identity: token, asked };
  })
  .on("assistants:search", ({ user }) => {
    throw new HTTPException(418, { message: `${user.identity} by question ${user.asked}` });
  });
